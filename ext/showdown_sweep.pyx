"""The sweep: for one set of public cards, each player's hand against all hands of the dealer that it leaves.

Hands are taken in ascending rank. Counters C[S] hold how many dealer's hands taken so far contain the cards S. For a
player's hand P the sum over S in P of (-1)^|S| C[S] is the number of those hands that share no card with P. It is read
at every cut of the dealer's ranks, then below and up to the rank of P: no pair of hands is ever formed.

What a round is worth is linear in these numbers and in the number of all dealer's hands. Its coefficients depend on
the segment of ranks that P is in. So is what is counted: moments, the sums of these numbers over the hands that end in
one leaf and segment.

Bounds. A counter is at most C(52, 7) = 133,784,560 < 2^31. The caller bounds utilities and deals so that every sum
fits 63 bits: combin/games/showdown/passes.py.

Where the time goes, with boards of five cards and hands of two: a third to rank and sort the hands of a board, a third
to count, a third to add values to the boards of earlier streets or to read the choices made there.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from binomials cimport BINOMIAL, fill_binomials
from doors cimport shaped, within
from showdown_hands cimport (
    CARDS, MOST_HIDDEN, MOST_PLAYER, RANK_LIMIT, RANKS, SUITS, Blocks, Ranking, list_hands, set_blocks,
)

fill_binomials()

cdef enum:
    PERMUTATIONS = 24
    MOST_LEVELS = 6
    MOST_CUTS = 64
    FIELDS = 4           # of 16 bits in a word of events
    MOST_ROWS = 512
    RANK_BLOCKS = 128    # RANK_LIMIT / 64


# Hands of a role in ascending rank. ``origin`` is a hand's place in the order in which they are listed.
cdef struct Hands:
    int size
    Py_ssize_t count
    uint16_t* rank
    uint8_t* cards
    int32_t* index
    int32_t* weight
    int32_t* origin


# The cards that are seen on an earlier street, and where its arrays are.
cdef struct Level:
    int board
    int upcards
    int player
    int64_t hands            # C(52, player)
    const int32_t* classes
    const uint8_t* permutations
    int64_t classes_count


cdef struct Plan:
    Ranking mine
    Ranking theirs
    int player               # cards of the player
    int hidden               # hidden cards of the dealer; -1: nobody to beat
    int board
    int upcards
    bint mine_board
    bint theirs_board
    bint theirs_up
    bint alike               # player and dealer are ranked alike: one list of hands
    bint reduced             # the player's hands are listed up to suits
    uint64_t removed
    int levels
    Level level[MOST_LEVELS]
    const int32_t* moved     # [permutation][index of a hand]: the index after the permutation; for levels with all cards


cdef struct Work:
    Py_ssize_t room_mine
    Py_ssize_t room_theirs
    Hands mine
    Hands theirs
    Hands listed             # before it is sorted
    int32_t* counter[MOST_PLAYER + 1]
    int depth                # cards of the largest subset counted
    int32_t* below
    int32_t* upto
    int32_t* at_cut          # [cut][hand]
    int64_t all_hands        # of the dealer, for one hand of the player
    int32_t bucket[RANK_LIMIT + 1]


cdef bint make_hands(Hands* hands, int size, Py_ssize_t room) noexcept nogil:
    hands.size = size
    hands.count = 0
    hands.rank = <uint16_t*> malloc(room * sizeof(uint16_t))
    hands.cards = <uint8_t*> malloc(room * (size if size else 1))
    hands.index = <int32_t*> malloc(room * sizeof(int32_t))
    hands.weight = <int32_t*> malloc(room * sizeof(int32_t))
    hands.origin = <int32_t*> malloc(room * sizeof(int32_t))
    return (hands.rank != NULL and hands.cards != NULL and hands.index != NULL and hands.weight != NULL
            and hands.origin != NULL)


cdef void free_hands(Hands* hands) noexcept nogil:
    free(hands.rank)
    free(hands.cards)
    free(hands.index)
    free(hands.weight)
    free(hands.origin)


cdef void sort_hands(const Hands* listed, Hands* hands, int32_t* bucket) noexcept nogil:
    """Sort by rank, hands of one rank in the order of the list. ``bucket`` is zero before and after."""
    cdef Py_ssize_t i, to, n = listed.count
    cdef const uint16_t* ranks = listed.rank
    cdef const int32_t* index = listed.index
    cdef const int32_t* weight = listed.weight
    cdef const uint8_t* cards = listed.cards
    cdef uint16_t* out_rank = hands.rank
    cdef int32_t* out_index = hands.index
    cdef int32_t* out_weight = hands.weight
    cdef int32_t* origin = hands.origin
    cdef uint8_t* out_cards = hands.cards
    cdef int32_t total = 0, held
    cdef uint8_t used[RANK_BLOCKS]    # blocks of ranks that occur: few do on one board
    cdef int rank, block, k, size = listed.size
    memset(used, 0, sizeof(used))
    for i in range(n):
        bucket[ranks[i]] += 1
        used[ranks[i] >> 6] = 1
    for block in range(RANK_BLOCKS):
        if used[block]:
            for rank in range(64 * block, 64 * block + 64):
                held = bucket[rank]
                bucket[rank] = total
                total += held
    for i in range(n):
        to = bucket[ranks[i]]
        bucket[ranks[i]] = <int32_t> (to + 1)
        out_rank[to] = ranks[i]
        origin[to] = <int32_t> i
    for i in range(n):
        to = origin[i]
        out_index[i] = index[to]
        out_weight[i] = weight[to]
        if size == 2:
            out_cards[2 * i] = cards[2 * to]
            out_cards[2 * i + 1] = cards[2 * to + 1]
        else:
            for k in range(size):
                out_cards[i * size + k] = cards[to * size + k]
    for block in range(RANK_BLOCKS):
        if used[block]:
            memset(bucket + 64 * block, 0, 64 * sizeof(int32_t))
    hands.size = size
    hands.count = listed.count


cdef void list_public(const Plan* p, Work* w, const uint8_t* seen) noexcept nogil:
    """List and sort the hands that one set of public cards leaves: boards first in ``seen``, then upcards."""
    cdef uint8_t left[CARDS]
    cdef uint64_t board = 0, up = 0
    cdef Blocks blocks
    cdef int i, n = 0
    for i in range(p.board):
        board |= <uint64_t> 1 << seen[i]
    for i in range(p.upcards):
        up |= <uint64_t> 1 << seen[p.board + i]
    for i in range(CARDS):
        if not (board | up | p.removed) >> i & 1:
            left[n] = <uint8_t> i
            n += 1
    set_blocks(&blocks, board, up, p.removed)
    w.listed.size = p.player
    w.listed.count = list_hands(
        &p.mine, left, n, p.player, board if p.mine_board else 0, &blocks if p.reduced else NULL,
        w.listed.rank, w.listed.cards, w.listed.index, w.listed.weight)
    sort_hands(&w.listed, &w.mine, w.bucket)
    w.all_hands = 1
    if p.hidden < 0:
        return
    w.all_hands = BINOMIAL[n - p.player][p.hidden] if n - p.player >= 0 else 0
    if not p.alike:
        w.listed.size = p.hidden
        w.listed.count = list_hands(
            &p.theirs, left, n, p.hidden, (board if p.theirs_board else 0) | (up if p.theirs_up else 0), NULL,
            w.listed.rank, w.listed.cards, w.listed.index, w.listed.weight)
        sort_hands(&w.listed, &w.theirs, w.bucket)


cdef inline void add_hand(Work* w, const uint8_t* cards, int size, int depth) noexcept nogil:
    """Count one dealer's hand under each of its subsets of at most ``depth`` cards; its cards ascend."""
    cdef int a, b, c, d, e
    cdef int32_t two, three, four
    w.counter[0][0] += 1
    if depth < 1:
        return
    for a in range(size):
        w.counter[1][cards[a]] += 1
        if depth < 2:
            continue
        for b in range(a + 1, size):
            two = cards[a] + BINOMIAL[cards[b]][2]
            w.counter[2][two] += 1
            if depth < 3:
                continue
            for c in range(b + 1, size):
                three = two + BINOMIAL[cards[c]][3]
                w.counter[3][three] += 1
                if depth < 4:
                    continue
                for d in range(c + 1, size):
                    four = three + BINOMIAL[cards[d]][4]
                    w.counter[4][four] += 1
                    if depth < 5:
                        continue
                    for e in range(d + 1, size):
                        w.counter[5][four + BINOMIAL[cards[e]][5]] += 1


cdef inline int32_t disjoint(const Work* w, const uint8_t* cards, int size, int depth) noexcept nogil:
    """Number of counted hands that share no card with this one, whose cards ascend."""
    cdef int a, b, c, d, e
    cdef int32_t two, three, four, found = w.counter[0][0]
    if depth < 1:
        return found
    for a in range(size):
        found -= w.counter[1][cards[a]]
        if depth < 2:
            continue
        for b in range(a + 1, size):
            two = cards[a] + BINOMIAL[cards[b]][2]
            found += w.counter[2][two]
            if depth < 3:
                continue
            for c in range(b + 1, size):
                three = two + BINOMIAL[cards[c]][3]
                found -= w.counter[3][three]
                if depth < 4:
                    continue
                for d in range(c + 1, size):
                    four = three + BINOMIAL[cards[d]][4]
                    found += w.counter[4][four]
                    if depth < 5:
                        continue
                    for e in range(d + 1, size):
                        found -= w.counter[5][four + BINOMIAL[cards[e]][5]]
    return found


cdef Py_ssize_t add_below(Work* w, const Hands* theirs, Py_ssize_t at, int rank) noexcept nogil:
    """Count the dealer's hands from ``at`` on that are below a rank; return where the others begin."""
    cdef int32_t* one = w.counter[1]
    cdef int32_t* two = w.counter[2]
    cdef const uint8_t* cards
    if theirs.size == 2 and w.depth == 2:
        while at < theirs.count and theirs.rank[at] < rank:
            cards = theirs.cards + 2 * at
            w.counter[0][0] += 1
            one[cards[0]] += 1
            one[cards[1]] += 1
            two[theirs.index[at]] += 1
            at += 1
    elif theirs.size == 3 and w.depth == 3:
        while at < theirs.count and theirs.rank[at] < rank:
            add_hand(w, theirs.cards + 3 * at, 3, 3)
            at += 1
    else:
        while at < theirs.count and theirs.rank[at] < rank:
            add_hand(w, theirs.cards + theirs.size * at, theirs.size, w.depth)
            at += 1
    return at


cdef void read_hands(const Work* w, Py_ssize_t start, Py_ssize_t stop, int32_t* out) noexcept nogil:
    """Read the counters for the player's hands [start, stop)."""
    cdef const Hands* mine = &w.mine
    cdef const int32_t* one = w.counter[1]
    cdef const int32_t* two = w.counter[2]
    cdef const uint8_t* cards
    cdef int32_t none = w.counter[0][0]
    cdef Py_ssize_t i
    if mine.size == 2 and w.depth == 2:
        for i in range(start, stop):
            cards = mine.cards + 2 * i
            out[i] = none - one[cards[0]] - one[cards[1]] + two[mine.index[i]]
    elif mine.size == 3 and w.depth == 3:
        for i in range(start, stop):
            out[i] = disjoint(w, mine.cards + 3 * i, 3, 3)
    elif mine.size == 5 and w.depth == 5:
        for i in range(start, stop):
            out[i] = disjoint(w, mine.cards + 5 * i, 5, 5)
    elif mine.size == 5 and w.depth == 4:
        for i in range(start, stop):
            out[i] = disjoint(w, mine.cards + 5 * i, 5, 4)
    else:
        for i in range(start, stop):
            out[i] = disjoint(w, mine.cards + mine.size * i, mine.size, w.depth)


cdef void sweep_public(const Plan* p, Work* w, const int32_t* cuts, int cut_count) noexcept nogil:
    """Fill ``at_cut``, ``below`` and ``upto`` for all hands of the player."""
    cdef const Hands* mine = &w.mine
    cdef const Hands* theirs = &w.mine if p.alike else &w.theirs
    cdef Py_ssize_t n = mine.count, i = 0, end, at = 0, before = -1
    cdef int cut = 0, size, rank
    if p.hidden < 0:
        return
    for size in range(w.depth + 1):
        memset(w.counter[size], 0, BINOMIAL[CARDS][size] * sizeof(int32_t))
    while True:
        rank = mine.rank[i] if i < n else RANK_LIMIT
        while cut < cut_count and cuts[cut] <= rank:
            at = add_below(w, theirs, at, cuts[cut])
            if cut and at == before:    # no hand of the dealer is between the two cuts
                memcpy(w.at_cut + cut * n, w.at_cut + (cut - 1) * n, n * sizeof(int32_t))
            else:
                read_hands(w, 0, n, w.at_cut + cut * n)
            before = at
            cut += 1
        if i == n:
            break
        end = i + 1
        while end < n and mine.rank[end] == rank:
            end += 1
        at = add_below(w, theirs, at, rank)
        read_hands(w, i, end, w.below)
        at = add_below(w, theirs, at, rank + 1)
        read_hands(w, i, end, w.upto)
        i = end


cdef void free_work(Work* w) noexcept nogil:
    cdef int size
    free_hands(&w.mine)
    free_hands(&w.theirs)
    free_hands(&w.listed)
    for size in range(MOST_PLAYER + 1):
        free(w.counter[size])
    free(w.below)
    free(w.upto)
    free(w.at_cut)


cdef bint make_work(const Plan* p, Work* w, int cuts, int64_t room_mine) noexcept nogil:
    cdef int size, left = CARDS - p.board - p.upcards
    cdef bint fits
    cdef int64_t room_theirs = BINOMIAL[left][p.hidden] if p.hidden >= 0 and not p.alike else 1
    memset(w, 0, sizeof(Work))
    w.depth = min(p.player, p.hidden) if p.hidden > 0 else 0
    fits = make_hands(&w.mine, p.player, room_mine) and make_hands(&w.theirs, max(p.hidden, 0), room_theirs)
    fits = fits and make_hands(&w.listed, max(p.player, p.hidden), max(room_mine, room_theirs))
    for size in range(w.depth + 1):
        w.counter[size] = <int32_t*> calloc(BINOMIAL[CARDS][size], sizeof(int32_t))
        fits = fits and w.counter[size] != NULL
    w.below = <int32_t*> malloc(room_mine * sizeof(int32_t))
    w.upto = <int32_t*> malloc(room_mine * sizeof(int32_t))
    w.at_cut = <int32_t*> malloc(room_mine * (cuts + 1) * sizeof(int32_t))
    return fits and w.below != NULL and w.upto != NULL and w.at_cut != NULL


cdef inline int64_t hand_at(const Plan* p, const Level* level, const int8_t* to, const uint8_t* cards) noexcept nogil:
    """The index of a hand of a level's cards after a permutation of suits."""
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


cdef bint next_subset(int* chosen, int size, int n) noexcept nogil:
    """Move to the next ``size`` of ``n`` places; whether there is one."""
    cdef int i = size - 1, k
    while i >= 0 and chosen[i] == n - size + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    for k in range(i + 1, size):
        chosen[k] = chosen[k - 1] + 1
    return True


cdef int64_t first_place(const int* chosen, int size, const uint8_t* cards) noexcept nogil:
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


cdef bint step(Walk* walk, const Level* level, int board, int upcards, const uint8_t* seen, int64_t* at) noexcept nogil:
    """Move to the next public cards of the level and write their index; whether there are any."""
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


cdef void add_to_level(
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
                if k + 1 < sums:    # two arrays share the work of finding the place
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
                place = start + hand_at(p, level, to, cards)
                for k in range(sums):
                    out[k][place] += values[k][i]
                if not next_subset(chosen, level.player, hands.size):
                    break


cdef void read_from_level(
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
                out[i] += row[hand_at(p, level, to, cards)]
                if not next_subset(chosen, level.player, hands.size):
                    break


cdef void value_rows(
    const Plan* p, const Work* w, const int32_t* segments, int segment_count, int cuts, const int64_t* coefficients,
    int rows, int64_t* out,
) noexcept nogil:
    """Write the value of each row for each hand: coefficients [row][segment][cuts, below, up to, all hands]."""
    cdef Py_ssize_t n = w.mine.count, i, start = 0, end
    cdef int row, cut, segment = 0
    cdef const int64_t* c
    cdef int64_t* values
    cdef const int32_t* counts
    cdef int64_t by, base
    while start < n:
        while segment < segment_count and segments[segment] <= w.mine.rank[start]:
            segment += 1
        end = start + 1
        while end < n and (segment == segment_count or w.mine.rank[end] < segments[segment]):
            end += 1
        for row in range(rows):
            c = coefficients + (row * (segment_count + 1) + segment) * (cuts + 3)
            values = out + row * n
            base = c[cuts + 2] * w.all_hands
            for i in range(start, end):
                values[i] = base
            if p.hidden >= 0:
                for cut in range(cuts + 2):
                    by = c[cut]
                    if by:
                        counts = w.at_cut + cut * n if cut < cuts else w.below if cut == cuts else w.upto
                        for i in range(start, end):
                            values[i] += by * counts[i]
        start = end


cdef void choose(
    const Hands* mine, const int64_t* rows, const int32_t* choices, const int32_t* needs, int count, int64_t* best,
    int8_t* chosen, bint* tied,
) noexcept nogil:
    """The best choice of each hand at one node; of equal ones the first.

    ``choices`` are their rows in the order of preference, ``needs`` the least rank to which each is offered.
    ``chosen`` and ``tied`` may be NULL.
    """
    cdef Py_ssize_t n = mine.count, i
    cdef int k, at
    cdef bint tie
    cdef int64_t value, most
    for i in range(n):
        at = -1
        most = 0
        tie = False
        for k in range(count):
            if mine.rank[i] < needs[k]:
                continue
            value = rows[choices[k] * n + i]
            if at < 0 or value > most:
                at = k
                most = value
                tie = False
            elif value == most:
                tie = True
        best[i] = most
        if chosen != NULL:
            chosen[i] = <int8_t> at
        if tied != NULL:
            tied[i] = tie


cdef class Sweep:
    """What a round deals and how it ranks hands, ready for passes over its public cards.

    ``mine`` and ``theirs`` are (by_ranks, first, place, by_suit, least suited, keys) of the player's and the dealer's
    hands. ``levels`` are (board, upcards, player, classes, permutations) of earlier streets with choices.
    ``moved[permutation][index]`` holds the indices of the player's hands after each permutation of suits, or is empty.
    """

    cdef Plan plan
    cdef object held
    cdef const uint8_t[:, ::1] seen
    cdef const int32_t[::1] orbits
    cdef const int8_t[:, ::1] permutation
    cdef int64_t room

    def __init__(
        self, *, int player, int hidden, int board, int upcards, bint mine_board, bint theirs_board, bint theirs_up,
        bint alike, bint reduced, uint64_t removed, mine, theirs, levels, const uint8_t[:, ::1] seen,
        const int32_t[::1] orbits, const int8_t[:, ::1] permutation, const int32_t[:, ::1] moved, int64_t room,
    ):
        cdef Plan* p = &self.plan
        shaped(0 <= player <= MOST_PLAYER and -1 <= hidden <= MOST_HIDDEN, "up to five cards against up to seven")
        shaped(board + upcards == seen.shape[1] and seen.shape[0] == orbits.shape[0], "public cards and orbits")
        shaped(permutation.shape[0] == PERMUTATIONS and permutation.shape[1] == CARDS, "24 permutations of 52 cards")
        shaped(len(levels) <= MOST_LEVELS, "at most six earlier streets")
        shaped(0 <= board <= MOST_HIDDEN and 0 <= upcards <= MOST_HIDDEN, "at most seven cards of a role")
        p.player, p.hidden, p.board, p.upcards = player, hidden, board, upcards
        p.mine_board, p.theirs_board, p.theirs_up = mine_board, theirs_board, theirs_up
        p.alike, p.reduced, p.removed = alike, reduced, removed
        self.seen, self.orbits, self.permutation = seen, orbits, permutation
        self.held = [mine, theirs, levels, moved]
        self.room = max(room, 1)
        set_ranking(&p.mine, mine)
        set_ranking(&p.theirs, theirs)
        p.levels = len(levels)
        for i, level in enumerate(levels):
            set_level(&p.level[i], level)
        p.moved = NULL
        if moved.shape[0]:
            shaped(moved.shape[0] == PERMUTATIONS and moved.shape[1] == BINOMIAL[CARDS][player], "[24][hands]")
            p.moved = &moved[0, 0]

    def values(
        self, Py_ssize_t start, Py_ssize_t stop, const int32_t[::1] cuts, const int32_t[::1] segments,
        const int64_t[:, :, ::1] coefficients, const int32_t[:, ::1] nodes, const int32_t[::1] needs,
        const int32_t[:, ::1] sums, out,
    ):
        """Add the values of the public cards [start, stop) to the arrays of earlier streets.

        ``coefficients`` [row][segment][cut or below, up to, all]; ``nodes`` [node][choice] are rows. ``sums`` are
        (level, source): what ``out[i]`` adds up, int64 [class][hand] of that level; a source is a row, or the number
        of rows plus a node.
        """
        cdef Plan* p = &self.plan
        cdef int rows = <int> coefficients.shape[0], node, sum_count = <int> sums.shape[0], i
        cdef int cut_count = <int> cuts.shape[0], segment_count = <int> segments.shape[0]
        cdef int node_count = <int> nodes.shape[0], choice_count = <int> nodes.shape[1]
        cdef int64_t* totals[MOST_ROWS]
        cdef int64_t* scaled[MOST_ROWS]
        cdef int64_t[:, ::1] array
        cdef const int32_t* cut_at = &cuts[0] if cut_count else NULL
        cdef const int32_t* segment_at = &segments[0] if segment_count else NULL
        cdef const int32_t* need_at = &needs[0] if needs.shape[0] else NULL
        cdef int64_t* f
        cdef int64_t* g
        cdef Work* w
        cdef Py_ssize_t public, n, h
        cdef const int64_t* source
        cdef int32_t orbit_size
        cdef bint fits
        within(start, stop, self.seen.shape[0], "public cards")
        shaped(sum_count <= MOST_ROWS and len(out) == sum_count, "one array a sum")
        shaped(coefficients.shape[1] == segment_count + 1 and coefficients.shape[2] == cut_count + 3, "coefficients")
        shaped(cut_count <= MOST_CUTS and needs.shape[0] == choice_count, "cuts and choices")
        for i in range(sum_count):
            array = out[i]
            within(sums[i, 0], sums[i, 0] + 1, p.levels, "levels")
            within(sums[i, 1], sums[i, 1] + 1, rows + node_count, "sources")
            shaped(array.shape[1] == p.level[sums[i, 0]].hands and array.shape[0] == p.level[sums[i, 0]].classes_count,
                   "[class][hand]")
            totals[i] = &array[0, 0]
        w = <Work*> PyMem_Malloc(sizeof(Work))
        if w == NULL:
            raise MemoryError
        fits = make_work(p, w, cut_count, self.room)
        f = <int64_t*> malloc(self.room * (rows + node_count + 1) * sizeof(int64_t))
        g = <int64_t*> malloc(self.room * max(sum_count, 1) * sizeof(int64_t))
        try:
            if not fits or f == NULL or g == NULL:
                raise MemoryError
            with nogil:
                for public in range(start, stop):
                    list_public(p, w, self.public(public))
                    n = w.mine.count
                    sweep_public(p, w, cut_at, cut_count)
                    value_rows(p, w, segment_at, segment_count, cut_count, &coefficients[0, 0, 0], rows, f)
                    for node in range(node_count):
                        choose(&w.mine, f, &nodes[node, 0], need_at, choice_count, f + (rows + node) * n, NULL, NULL)
                    orbit_size = self.orbits[public]
                    for i in range(sum_count):
                        source = f + sums[i, 1] * n
                        scaled[i] = g + i * self.room
                        for h in range(n):
                            scaled[i][h] = source[h] * (orbit_size * w.mine.weight[h])
                    i = 0
                    while i < sum_count:
                        node = i + 1
                        while node < sum_count and sums[node, 0] == sums[i, 0]:
                            node += 1
                        add_to_level(p, &p.level[sums[i, 0]], &self.permutation[0, 0], p.board, p.upcards,
                                     self.public(public), &w.mine, node - i, &scaled[i], &totals[i])
                        i = node
        finally:
            free_work(w)
            PyMem_Free(w)
            free(f)
            free(g)

    cdef const uint8_t* public(self, Py_ssize_t at) noexcept nogil:
        return &self.seen[at, 0] if self.seen.shape[1] else NULL

    def moments(
        self, Py_ssize_t start, Py_ssize_t stop, const int32_t[::1] cuts, const int32_t[::1] segments,
        const int64_t[:, :, ::1] coefficients, const int32_t[:, ::1] nodes, const int32_t[::1] needs,
        const int32_t[::1] reached, const int32_t[:, ::1] leaves, words, const int32_t[::1] word_levels,
        int64_t[:, :, ::1] out, int64_t[::1] ties, int64_t[::1] best, const int8_t[:, ::1] given,
    ):
        """Add the moments of the public cards [start, stop) under the choices of all streets.

        ``words[i]`` are events uint64 [class][hand] of level ``word_levels[i]``, four fields of 16 bits: how often a
        hand ends in a leaf, or reaches a node. ``reached[node]`` is the field, 4 * word + place, of a node of the last
        street; -1: always. ``leaves`` are (field, -1) of an earlier street, or (node, choice). ``out`` is
        [leaf][segment][cuts, below, up to, all]. ``ties`` counts the hands of each node that have two best choices,
        ``best`` adds up what the best choices are worth. ``given`` [public - start][hand as listed] are choices to be
        followed; it may be empty.
        """
        cdef Plan* p = &self.plan
        cdef int rows = <int> coefficients.shape[0], node, i, k, word_count = len(words)
        cdef int cut_count = <int> cuts.shape[0], segment_count = <int> segments.shape[0]
        cdef int node_count = <int> nodes.shape[0], choice_count = <int> nodes.shape[1]
        cdef int leaf_count = <int> leaves.shape[0]
        cdef const uint64_t* event[MOST_ROWS]
        cdef const uint64_t[:, ::1] array
        cdef const int32_t* cut_at = &cuts[0] if cut_count else NULL
        cdef const int32_t* segment_at = &segments[0] if segment_count else NULL
        cdef const int32_t* need_at = &needs[0] if needs.shape[0] else NULL
        cdef int64_t* f
        cdef uint64_t* e
        cdef int32_t* weights
        cdef int8_t* picks
        cdef bint* tied
        cdef Work* w
        cdef Py_ssize_t public, n, h, room = self.room
        cdef int32_t weight, orbit_size, field
        cdef int8_t place
        cdef const uint64_t* source
        cdef const int8_t* pick
        cdef bint fits
        within(start, stop, self.seen.shape[0], "public cards")
        shaped(coefficients.shape[1] == segment_count + 1 and coefficients.shape[2] == cut_count + 3, "coefficients")
        shaped(out.shape[0] == leaf_count and out.shape[1] == segment_count + 1 and out.shape[2] == cut_count + 3, "out")
        shaped(cut_count <= MOST_CUTS and needs.shape[0] == choice_count and word_count <= MOST_ROWS, "cuts and words")
        shaped(reached.shape[0] == node_count and ties.shape[0] == node_count and best.shape[0] == node_count, "nodes")
        shaped(given.shape[0] in (0, stop - start), "choices")
        shaped(word_levels.shape[0] == word_count, "a level a word")
        for i in range(word_count):
            array = words[i]
            within(word_levels[i], word_levels[i] + 1, p.levels, "levels")
            shaped(array.shape[1] == p.level[word_levels[i]].hands
                   and array.shape[0] == p.level[word_levels[i]].classes_count, "[class][hand]")
            event[i] = &array[0, 0]
        for node in range(node_count):
            within(reached[node] + 1, reached[node] + 1, 4 * word_count + 1, "fields")
            for k in range(choice_count):
                within(nodes[node, k], nodes[node, k] + 1, rows, "rows")
        for i in range(leaf_count):
            if leaves[i, 1] >= 0:
                within(leaves[i, 0], leaves[i, 0] + 1, node_count, "nodes")
            else:
                within(leaves[i, 0], leaves[i, 0] + 1, 4 * word_count, "fields")
        w = <Work*> PyMem_Malloc(sizeof(Work))
        if w == NULL:
            raise MemoryError
        fits = make_work(p, w, cut_count, room)
        f = <int64_t*> malloc(room * (rows + 2) * sizeof(int64_t))
        e = <uint64_t*> malloc(room * (word_count + 1) * sizeof(uint64_t))
        picks = <int8_t*> malloc(room * (node_count + 1))
        tied = <bint*> malloc(room * sizeof(bint))
        weights = <int32_t*> malloc(room * sizeof(int32_t))
        try:
            if not fits or f == NULL or e == NULL or picks == NULL or tied == NULL or weights == NULL:
                raise MemoryError
            with nogil:
                for public in range(start, stop):
                    list_public(p, w, self.public(public))
                    n = w.mine.count
                    sweep_public(p, w, cut_at, cut_count)
                    if rows:
                        value_rows(p, w, segment_at, segment_count, cut_count, &coefficients[0, 0, 0], rows, f)
                    orbit_size = self.orbits[public]
                    memset(e, 0, word_count * n * sizeof(uint64_t))
                    for i in range(word_count):
                        read_from_level(p, &p.level[word_levels[i]], &self.permutation[0, 0], p.board, p.upcards,
                                        self.public(public), &w.mine, event[i], e + i * n)
                    for node in range(node_count):
                        choose(&w.mine, f, &nodes[node, 0], need_at, choice_count, f + rows * n, picks + node * n, tied)
                        for h in range(n):
                            if given.shape[0]:
                                picks[node * n + h] = given[public - start, w.mine.origin[h]]
                            weight = orbit_size * w.mine.weight[h] * field_of(e, n, h, reached[node])
                            best[node] += weight * f[rows * n + h]
                            if tied[h] and weight:
                                ties[node] += orbit_size * w.mine.weight[h]
                    for i in range(leaf_count):
                        field = leaves[i, 0] if leaves[i, 1] < 0 else reached[leaves[i, 0]]
                        place = <int8_t> leaves[i, 1]
                        for h in range(n):
                            weights[h] = orbit_size * w.mine.weight[h]
                        if field >= 0:
                            source = e + (field >> 2) * n
                            field = 16 * (field & 3)
                            for h in range(n):
                                weights[h] *= <int32_t> (source[h] >> field & 0xffff)
                        if place >= 0:
                            pick = picks + leaves[i, 0] * n
                            for h in range(n):
                                weights[h] = weights[h] if pick[h] == place else 0
                        weight = 0
                        for h in range(n):
                            weight |= weights[h]
                        if weight:
                            add_moments(p, w, segment_at, segment_count, cut_count, weights, &out[i, 0, 0])
        finally:
            free_work(w)
            PyMem_Free(w)
            free(f)
            free(e)
            free(picks)
            free(tied)
            free(weights)

    def lift(
        self, int of, int to, Py_ssize_t start, Py_ssize_t stop, const uint8_t[:, ::1] seen, const int32_t[::1] orbits,
        const uint8_t[:, ::1] cards, const int64_t[:, ::1] values, int64_t[:, ::1] out,
    ):
        """Add ``values`` [class - start][hand] of the classes [start, stop) of level ``of`` to the earlier level ``to``.

        ``seen`` are the public cards of all classes, ``cards`` those of all hands of level ``of`` by index.
        """
        cdef Plan* p = &self.plan
        cdef Hands hands
        cdef Py_ssize_t c, h
        cdef int64_t* g
        cdef int64_t* total = &out[0, 0]
        within(to, of, p.levels, "levels")
        within(of, of + 1, p.levels, "levels")
        within(start, stop, seen.shape[0], "classes")
        self._hands_of(of, &hands, cards)
        shaped(seen.shape[0] == orbits.shape[0] and values.shape[0] >= stop - start, "a row a class")
        shaped(values.shape[1] == p.level[of].hands and out.shape[1] == p.level[to].hands
               and out.shape[0] == p.level[to].classes_count, "[class][hand]")
        g = <int64_t*> malloc(hands.count * sizeof(int64_t))
        if g == NULL or hands.index == NULL:
            free(g)
            free(hands.index)
            raise MemoryError
        with nogil:
            for c in range(start, stop):
                for h in range(hands.count):
                    g[h] = orbits[c] * values[c - start, h]
                add_to_level(p, &p.level[to], &self.permutation[0, 0], p.level[of].board, p.level[of].upcards,
                             &seen[c, 0] if seen.shape[1] else NULL, &hands, 1, &g, &total)
        free(g)
        free(hands.index)

    def carry(
        self, int of, int to, Py_ssize_t start, Py_ssize_t stop, const uint8_t[:, ::1] seen,
        const uint8_t[:, ::1] cards, const uint64_t[:, ::1] events, uint64_t[:, ::1] out,
    ):
        """Add the ``events`` [class][hand] of level ``of`` to the classes [start, stop) of the later level ``to``."""
        cdef Plan* p = &self.plan
        cdef Hands hands
        cdef Py_ssize_t c
        within(of, to, p.levels, "levels")
        within(to, to + 1, p.levels, "levels")
        within(start, stop, seen.shape[0], "classes")
        self._hands_of(to, &hands, cards)
        shaped(events.shape[1] == p.level[of].hands and out.shape[1] == p.level[to].hands
               and events.shape[0] == p.level[of].classes_count and out.shape[0] == seen.shape[0], "[class][hand]")
        if hands.index == NULL:
            raise MemoryError
        with nogil:
            for c in range(start, stop):
                read_from_level(p, &p.level[of], &self.permutation[0, 0], p.level[to].board, p.level[to].upcards,
                                &seen[c, 0] if seen.shape[1] else NULL, &hands, &events[0, 0], &out[c, 0])
        free(hands.index)

    cdef int _hands_of(self, int of, Hands* hands, const uint8_t[:, ::1] cards) except -1:
        """All hands of a level by index."""
        cdef Py_ssize_t h
        memset(hands, 0, sizeof(Hands))
        hands.size = self.plan.level[of].player
        hands.count = self.plan.level[of].hands
        shaped(cards.shape[0] == hands.count and cards.shape[1] == max(hands.size, 1), "the cards of all hands")
        hands.cards = <uint8_t*> &cards[0, 0]    # only read
        hands.index = <int32_t*> malloc(hands.count * sizeof(int32_t))
        if hands.index != NULL:
            for h in range(hands.count):
                hands.index[h] = <int32_t> h
        return 0

    def symmetrise(
        self, int of, Py_ssize_t start, Py_ssize_t stop, const uint8_t[:, ::1] seen, const uint8_t[:, ::1] cards,
        const int64_t[::1] group, int64_t[:, ::1] values,
    ):
        """Replace each value by its sum over the permutations that keep the public cards, divided by the group's size.

        ``group`` are the indices of the permutations that keep the removed cards. Raises ArithmeticError where the
        size does not divide a sum: the values were not those of whole orbits.
        """
        cdef Plan* p = &self.plan
        cdef Hands hands
        cdef Py_ssize_t c, h, n
        cdef int i, k, board = p.level[of].board, upcards = p.level[of].upcards
        cdef uint64_t on_board, up, image
        cdef const int8_t* to
        cdef int64_t* total
        cdef int64_t size = group.shape[0]
        cdef bint whole = True, same
        within(start, stop, seen.shape[0], "classes")
        self._hands_of(of, &hands, cards)
        n = hands.count
        shaped(values.shape[0] == seen.shape[0] and values.shape[1] == n, "[class][hand]")
        total = <int64_t*> malloc(n * sizeof(int64_t))
        if total == NULL or hands.index == NULL:
            free(total)
            free(hands.index)
            raise MemoryError
        with nogil:
            for c in range(start, stop):
                memset(total, 0, n * sizeof(int64_t))
                for k in range(size):
                    to = &self.permutation[group[k], 0]
                    on_board = up = image = 0
                    same = True
                    for i in range(board):
                        on_board |= <uint64_t> 1 << seen[c, i]
                        image |= <uint64_t> 1 << to[seen[c, i]]
                    same = on_board == image
                    image = 0
                    for i in range(upcards):
                        up |= <uint64_t> 1 << seen[c, board + i]
                        image |= <uint64_t> 1 << to[seen[c, board + i]]
                    if not same or up != image:
                        continue
                    if hands.size == p.player and p.moved != NULL:
                        for h in range(n):
                            total[h] += values[c, p.moved[group[k] * n + h]]
                    else:
                        for h in range(n):
                            total[h] += values[c, hand_at(p, &p.level[of], to, hands.cards + hands.size * h)]
                for h in range(n):
                    whole = whole and total[h] % size == 0
                    values[c, h] = total[h] // size
        free(total)
        free(hands.index)
        if not whole:
            raise ArithmeticError("values of an earlier street are not whole after symmetrising")

    def position(
        self, const uint8_t[::1] seen, const uint8_t[::1] hand, const int32_t[::1] cuts, int64_t[:, ::1] out
    ):
        """Compare one hand of the player with every hand of the dealer, one by one; return its rank.

        ``out`` [lose, tie, win][interval between cuts] takes the numbers of the dealer's hands. Without a dealer
        out[0, 0] is 1. Cards ascend within each role, boards before upcards.
        """
        cdef Plan* p = &self.plan
        cdef uint8_t left[CARDS]
        cdef uint64_t board = 0, up = 0, own = 0
        cdef int i, n = 0, result, cut, cut_count = <int> cuts.shape[0]
        cdef uint16_t mine[1]
        cdef uint8_t nothing[1]
        cdef uint16_t* rank
        cdef uint8_t* cards
        cdef Py_ssize_t count, h
        shaped(seen.shape[0] == p.board + p.upcards and hand.shape[0] == p.player, "the cards of the showdown")
        shaped(out.shape[0] == 3 and out.shape[1] == cut_count + 1, "[result][interval]")
        for i in range(p.board):
            board |= <uint64_t> 1 << seen[i]
        for i in range(p.upcards):
            up |= <uint64_t> 1 << seen[p.board + i]
        for i in range(p.player):
            own |= <uint64_t> 1 << hand[i]
        for i in range(CARDS):
            if not (board | up | own | p.removed) >> i & 1:
                left[n] = <uint8_t> i
                n += 1
        list_hands(&p.mine, left, n, 0, own | (board if p.mine_board else 0), NULL, mine, nothing, NULL, NULL)
        out[:, :] = 0
        if p.hidden < 0:
            out[0, 0] = 1
            return mine[0]
        count = BINOMIAL[n][p.hidden]
        rank = <uint16_t*> malloc(max(count, 1) * sizeof(uint16_t))
        cards = <uint8_t*> malloc(max(count * p.hidden, 1))
        if rank == NULL or cards == NULL:
            free(rank)
            free(cards)
            raise MemoryError
        with nogil:
            list_hands(&p.theirs, left, n, p.hidden, (board if p.theirs_board else 0) | (up if p.theirs_up else 0), NULL,
                       rank, cards, NULL, NULL)
            for h in range(count):
                result = (rank[h] <= mine[0]) + (rank[h] < mine[0])
                cut = 0
                while cut < cut_count and cuts[cut] <= rank[h]:
                    cut += 1
                out[result, cut] += 1
        free(rank)
        free(cards)
        return mine[0]

    def hands(
        self, Py_ssize_t start, Py_ssize_t stop, uint8_t[:, :, ::1] cards, uint16_t[:, ::1] ranks, int32_t[::1] counts
    ):
        """Write the player's hands of the public cards [start, stop) as they are listed, and their numbers.

        ``cards`` [public - start][hand][card] and ``ranks`` keep what they were beyond the number of hands.
        """
        cdef Plan* p = &self.plan
        cdef Work* w
        cdef Py_ssize_t public, h, i, to
        within(start, stop, self.seen.shape[0], "public cards")
        shaped(cards.shape[0] == ranks.shape[0] == counts.shape[0] == stop - start and cards.shape[1] == self.room
               and ranks.shape[1] == self.room and cards.shape[2] == p.player, "room for all hands")
        w = <Work*> PyMem_Malloc(sizeof(Work))
        if w == NULL:
            raise MemoryError
        try:
            if not make_work(p, w, 0, self.room):
                raise MemoryError
            with nogil:
                for public in range(start, stop):
                    list_public(p, w, self.public(public))
                    counts[public - start] = <int32_t> w.mine.count
                    for h in range(w.mine.count):
                        to = w.mine.origin[h]
                        ranks[public - start, to] = w.mine.rank[h]
                        for i in range(p.player):
                            cards[public - start, to, i] = w.mine.cards[h * p.player + i]
        finally:
            free_work(w)
            PyMem_Free(w)


cdef inline int32_t field_of(const uint64_t* events, Py_ssize_t n, Py_ssize_t hand, int32_t field) noexcept nogil:
    if field < 0:
        return 1
    return <int32_t> (events[(field >> 2) * n + hand] >> 16 * (field & 3) & 0xffff)


cdef void add_moments(
    const Plan* p, const Work* w, const int32_t* segments, int segment_count, int cuts, const int32_t* weights, int64_t* out
) noexcept nogil:
    """Add weight times each count to [segment][cuts, below, up to, all]."""
    cdef Py_ssize_t n = w.mine.count, i, start = 0, end
    cdef int cut, segment = 0
    cdef const int32_t* counts
    cdef int64_t total, last = 0
    cdef int64_t* row
    while start < n:
        while segment < segment_count and segments[segment] <= w.mine.rank[start]:
            segment += 1
        end = start + 1
        while end < n and (segment == segment_count or w.mine.rank[end] < segments[segment]):
            end += 1
        row = out + segment * (cuts + 3)
        total = 0
        for i in range(start, end):
            total += weights[i]
        row[cuts + 2] += total * w.all_hands
        if total and p.hidden >= 0:
            for cut in range(cuts + 2):
                counts = w.at_cut + cut * n if cut < cuts else w.below if cut == cuts else w.upto
                total = 0
                for i in range(start, end):
                    total += <int64_t> weights[i] * counts[i]
                row[cut] += total
        start = end


cdef int set_ranking(Ranking* ranking, tables) except -1:
    """Point a ranking to its tables, which the caller keeps."""
    cdef const uint16_t[::1] by_ranks = tables[0]
    cdef const int32_t[::1] first = tables[1]
    cdef const int32_t[::1] place = tables[2]
    cdef const uint16_t[::1] by_suit = tables[3]
    shaped(by_suit.shape[0] == 1 << RANKS and first.shape[0] == 5**7 and place.shape[0] == 5**6, "rank tables")
    ranking.by_ranks, ranking.first, ranking.place = &by_ranks[0], &first[0], &place[0]
    ranking.by_suit = &by_suit[0]
    ranking.least_suited = tables[4]
    for rank in range(RANKS):
        ranking.key[rank] = tables[5][rank]
    return 0


cdef int set_level(Level* level, fields) except -1:
    cdef const int32_t[::1] classes = fields[3]
    cdef const uint8_t[::1] permutations = fields[4]
    level.board, level.upcards, level.player = fields[0], fields[1], fields[2]
    level.hands = BINOMIAL[CARDS][level.player]
    level.classes_count = fields[5]
    shaped(classes.shape[0] == BINOMIAL[CARDS][level.board] * BINOMIAL[CARDS][level.upcards]
           and permutations.shape[0] == classes.shape[0], "a class for all public cards")
    level.classes, level.permutations = &classes[0], &permutations[0]
    return 0
