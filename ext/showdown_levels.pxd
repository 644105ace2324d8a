"""The public cards of one street and those of earlier ones: values are added up, events are read.

Public cards of the earlier street are a subset of the later one's. A permutation of suits makes them canonical, and is
applied to the hand too.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from binomials cimport BINOMIAL
from showdown_counts cimport Hands, Level, Plan
from showdown_hands cimport CARDS, MOST_HIDDEN, MOST_PLAYER, next_subset


# The public cards of a later street, and the hands that they leave.
cdef struct Later:
    int board
    int upcards
    const uint8_t* seen
    const Hands* hands


cdef inline Later later_of(const Level* level, int64_t number) noexcept nogil:
    """Return a class of a level's public cards, with all hands."""
    cdef Later later
    later.board, later.upcards = level.board, level.upcards
    later.seen = level.seen + number * (level.board + level.upcards)
    later.hands = &level.hands
    return later


cdef inline int64_t hand_at(const Level* level, const int8_t* to, const uint8_t* cards) noexcept nogil:
    """Return the index of a hand of a level's cards after a permutation of suits."""
    cdef int moved[MOST_PLAYER]
    cdef int i, k, card
    cdef int64_t index = 0
    for i in range(level.hands.size):
        card = to[cards[i]]
        k = i
        while k > 0 and moved[k - 1] > card:
            moved[k] = moved[k - 1]
            k -= 1
        moved[k] = card
    for i in range(level.hands.size):
        index += BINOMIAL[moved[i]][i + 1]
    return index


cdef inline void first_subset(int* chosen, int size) noexcept nogil:
    cdef int i
    for i in range(size):
        chosen[i] = i


cdef inline int64_t index_of(const int* chosen, int size, const uint8_t* cards) noexcept nogil:
    cdef int i
    cdef int64_t index = 0
    for i in range(size):
        index += BINOMIAL[cards[chosen[i]]][i + 1]
    return index


# Walks over the public cards of an earlier street among those of a later one, and for each over the hands.
cdef struct Walk:
    int board[MOST_HIDDEN]
    int up[MOST_HIDDEN]
    bint started
    int64_t row              # the first index of the public cards' class in an array [class][hand]
    const int32_t* moved     # of hands of all the player's cards: the index by index, or NULL
    const int8_t* to         # the permutation of cards
    int chosen[MOST_PLAYER]  # of the cards of ``hand``
    Py_ssize_t hand


cdef inline bint step(Walk* walk, const Plan* p, const Level* level, const Later* later) noexcept nogil:
    """Move to the next public cards of the level; return whether there are any."""
    cdef int64_t at
    if not walk.started:
        first_subset(walk.board, level.board)
        first_subset(walk.up, level.upcards)
        walk.started = True
    elif next_subset(walk.up, level.upcards, later.upcards) < 0:
        first_subset(walk.up, level.upcards)
        if next_subset(walk.board, level.board, later.board) < 0:
            return False
    at = (index_of(walk.board, level.board, later.seen) * BINOMIAL[CARDS][level.upcards]
          + index_of(walk.up, level.upcards, later.seen + later.board))
    walk.row = level.classes[at] * level.hands.count
    walk.to = p.permutation + CARDS * level.permutations[at]
    walk.moved = NULL
    if level.hands.size == later.hands.size == p.player and p.moved != NULL:
        walk.moved = p.moved + level.permutations[at] * level.hands.count
    first_subset(walk.chosen, level.hands.size)
    walk.hand = 0
    return True


cdef inline int64_t next_place(Walk* walk, const Level* level, const Hands* hands, Py_ssize_t* hand) noexcept nogil:
    """Return the index of the next hand of the level that may become one of the hands, and write its number.

    Returns -1 after the last one.
    """
    cdef uint8_t cards[MOST_PLAYER]
    cdef int k
    if walk.hand == hands.count:
        return -1
    hand[0] = walk.hand
    for k in range(level.hands.size):
        cards[k] = hands.cards[hands.size * walk.hand + walk.chosen[k]]
    if next_subset(walk.chosen, level.hands.size, hands.size) < 0:
        first_subset(walk.chosen, level.hands.size)
        walk.hand += 1
    return hand_at(level, walk.to, cards)


cdef inline void add_to_level(
    const Plan* p, const Level* level, const Later* later, int sums, int64_t** values, int64_t** out
) noexcept nogil:
    """Add the values of each hand to the hands of an earlier street that may become it, ``sums`` arrays at once."""
    cdef Walk walk
    cdef int64_t place
    cdef int64_t* row
    cdef int64_t* other
    cdef const int64_t* first
    cdef const int64_t* second
    cdef const int32_t* moved
    cdef const int32_t* index = later.hands.index
    cdef Py_ssize_t i = 0, count = later.hands.count
    cdef int k
    walk.started = False
    while step(&walk, p, level, later):
        if walk.moved == NULL:
            while (place := next_place(&walk, level, later.hands, &i)) >= 0:
                for k in range(sums):
                    out[k][walk.row + place] += values[k][i]
            continue
        moved = walk.moved
        for k in range(0, sums, 2):
            row = out[k] + walk.row
            first = values[k]
            if k + 1 < sums:    # two arrays share the computation of the index
                other = out[k + 1] + walk.row
                second = values[k + 1]
                for i in range(count):
                    place = moved[index[i]]
                    row[place] += first[i]
                    other[place] += second[i]
            else:
                for i in range(count):
                    row[moved[index[i]]] += first[i]


cdef inline void read_from_level(
    const Plan* p, const Level* level, const Later* later, const uint64_t* events, uint64_t* out
) noexcept nogil:
    """Add to each hand the events of the hands of an earlier street that may become it."""
    cdef Walk walk
    cdef int64_t place
    cdef const uint64_t* row
    cdef const int32_t* moved
    cdef const int32_t* index = later.hands.index
    cdef Py_ssize_t i = 0, count = later.hands.count
    walk.started = False
    while step(&walk, p, level, later):
        row = events + walk.row
        if walk.moved == NULL:
            while (place := next_place(&walk, level, later.hands, &i)) >= 0:
                out[i] += row[place]
            continue
        moved = walk.moved
        for i in range(count):
            out[i] += row[moved[index[i]]]
