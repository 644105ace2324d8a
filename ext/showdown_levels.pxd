"""The public cards of one street and those of earlier ones: values are added up, events are read.

Public cards of the earlier street are a subset of the later one's. A permutation of suits makes them canonical, and is
applied to the hand too.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from binomials cimport BINOMIAL
from showdown_counts cimport Hands, Level, Plan
from showdown_hands cimport CARDS, MOST_HIDDEN, MOST_PLAYER


cdef inline int64_t hand_at(const Level* level, const int8_t* to, const uint8_t* cards) noexcept nogil:
    """Return the index of a hand of a level's cards after a permutation of suits."""
    cdef int moved[MOST_PLAYER]
    cdef int i, k, card
    cdef int64_t found = 0
    for i in range(level.player):
        card = to[cards[i]]
        k = i
        while k > 0 and moved[k - 1] > card:
            moved[k] = moved[k - 1]
            k -= 1
        moved[k] = card
    for i in range(level.player):
        found += BINOMIAL[moved[i]][i + 1]
    return found


cdef inline bint next_subset(int* chosen, int size, int n) noexcept nogil:
    """Move to the next ``size`` of ``n`` indices; return whether there is one."""
    cdef int i = size - 1, k
    while i >= 0 and chosen[i] == n - size + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    for k in range(i + 1, size):
        chosen[k] = chosen[k - 1] + 1
    return True


cdef inline int64_t first_place(const int* chosen, int size, const uint8_t* cards) noexcept nogil:
    cdef int i
    cdef int64_t found = 0
    for i in range(size):
        found += BINOMIAL[cards[chosen[i]]][i + 1]
    return found


# Walks over the public cards of an earlier street among those of a later one.
cdef struct Walk:
    int board[MOST_HIDDEN]
    int up[MOST_HIDDEN]
    bint started


cdef inline bint step(Walk* walk, const Level* level, int board, int upcards, const uint8_t* seen, int64_t* at) noexcept nogil:
    """Move to the next public cards of the level and write their index; return whether there are any."""
    cdef int i
    if not walk.started:
        for i in range(level.board):
            walk.board[i] = i
        for i in range(level.upcards):
            walk.up[i] = i
        walk.started = True
    elif not next_subset(walk.up, level.upcards, upcards):
        for i in range(level.upcards):
            walk.up[i] = i
        if not next_subset(walk.board, level.board, board):
            return False
    at[0] = (first_place(walk.board, level.board, seen) * BINOMIAL[CARDS][level.upcards]
             + first_place(walk.up, level.upcards, seen + board))
    return True


cdef inline void add_to_level(
    const Plan* p, const Level* level, const int8_t* permutation, int board, int upcards, const uint8_t* seen,
    const Hands* hands, int sums, int64_t** values, int64_t** out,
) noexcept nogil:
    """Add the values of each hand to the hands of an earlier street that may become it, ``sums`` arrays at once."""
    cdef Walk walk
    cdef int64_t at = 0, start, place
    cdef int64_t* row
    cdef int64_t* other
    cdef const int64_t* first = values[0]
    cdef const int64_t* second = values[1] if sums > 1 else NULL
    cdef const int32_t* moved
    cdef const int32_t* index = hands.index
    cdef const int8_t* to
    cdef int chosen[MOST_PLAYER]
    cdef uint8_t cards[MOST_PLAYER]
    cdef Py_ssize_t i
    cdef int k
    walk.started = False
    while step(&walk, level, board, upcards, seen, &at):
        start = level.classes[at] * level.hands
        if level.player == hands.size == p.player and p.moved != NULL:
            moved = p.moved + level.permutations[at] * level.hands
            k = 0
            while k < sums:
                row = out[k] + start
                first = values[k]
                if k + 1 < sums:    # two arrays share the computation of the index
                    other = out[k + 1] + start
                    second = values[k + 1]
                    for i in range(hands.count):
                        place = moved[index[i]]
                        row[place] += first[i]
                        other[place] += second[i]
                else:
                    for i in range(hands.count):
                        row[moved[index[i]]] += first[i]
                k += 2
            continue
        to = permutation + CARDS * level.permutations[at]
        for i in range(hands.count):
            for k in range(level.player):
                chosen[k] = k
            while True:
                for k in range(level.player):
                    cards[k] = hands.cards[hands.size * i + chosen[k]]
                place = start + hand_at(level, to, cards)
                for k in range(sums):
                    out[k][place] += values[k][i]
                if not next_subset(chosen, level.player, hands.size):
                    break


cdef inline void read_from_level(
    const Plan* p, const Level* level, const int8_t* permutation, int board, int upcards, const uint8_t* seen,
    const Hands* hands, const uint64_t* events, uint64_t* out,
) noexcept nogil:
    """Add to each hand the events of the hands of an earlier street that may become it."""
    cdef Walk walk
    cdef int64_t at = 0
    cdef const uint64_t* row
    cdef const int32_t* moved
    cdef const int32_t* index = hands.index
    cdef const int8_t* to
    cdef int chosen[MOST_PLAYER]
    cdef uint8_t cards[MOST_PLAYER]
    cdef Py_ssize_t i
    cdef int k
    walk.started = False
    while step(&walk, level, board, upcards, seen, &at):
        row = events + level.classes[at] * level.hands
        if level.player == hands.size == p.player and p.moved != NULL:
            moved = p.moved + level.permutations[at] * level.hands
            for i in range(hands.count):
                out[i] += row[moved[index[i]]]
            continue
        to = permutation + CARDS * level.permutations[at]
        for i in range(hands.count):
            for k in range(level.player):
                chosen[k] = k
            while True:
                for k in range(level.player):
                    cards[k] = hands.cards[hands.size * i + chosen[k]]
                out[i] += row[hand_at(level, to, cards)]
                if not next_subset(chosen, level.player, hands.size):
                    break
