"""Hands of one set of public cards in ascending rank, and the dealer's hands below each of the player's.

See showdown_sweep.pyx for the method.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from binomials cimport BINOMIAL
from showdown_hands cimport CARDS, MOST_PLAYER, RANK_LIMIT, Blocks, Ranking, list_hands, set_blocks

cdef enum:
    MOST_LEVELS = 6
    RANK_BLOCKS = 128    # RANK_LIMIT / 64


# Hands of a role in ascending rank. ``origin`` is a hand's index in the list.
cdef struct Hands:
    int size
    Py_ssize_t count
    uint16_t* rank
    uint8_t* cards
    int32_t* index
    int32_t* weight
    int32_t* origin


# The cards seen on an earlier street, and the addresses of its arrays.
cdef struct Level:
    int board
    int upcards
    Hands hands              # all hands by index, without ranks
    int64_t count            # of the classes of public cards
    const uint8_t* seen      # [class][card]
    const int32_t* orbits    # [class]
    const int32_t* classes   # of any public cards, and the permutation to its own
    const uint8_t* permutations


cdef struct Plan:
    Ranking mine
    Ranking theirs
    int player               # cards of the player
    int hidden               # hidden cards of the dealer; -1 without a dealer
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
    const int8_t* permutation    # [permutation][card]
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


cdef inline bint make_hands(Hands* hands, int size, Py_ssize_t room) noexcept nogil:
    hands.size = size
    hands.count = 0
    hands.rank = <uint16_t*> malloc(room * sizeof(uint16_t))
    hands.cards = <uint8_t*> malloc(room * (size if size else 1))
    hands.index = <int32_t*> malloc(room * sizeof(int32_t))
    hands.weight = <int32_t*> malloc(room * sizeof(int32_t))
    hands.origin = <int32_t*> malloc(room * sizeof(int32_t))
    return (hands.rank != NULL and hands.cards != NULL and hands.index != NULL and hands.weight != NULL
            and hands.origin != NULL)


cdef inline void free_hands(Hands* hands) noexcept nogil:
    free(hands.rank)
    free(hands.cards)
    free(hands.index)
    free(hands.weight)
    free(hands.origin)


cdef inline void sort_hands(const Hands* listed, Hands* hands, int32_t* bucket) noexcept nogil:
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


cdef inline void list_public(const Plan* p, Work* w, const uint8_t* seen) noexcept nogil:
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
    """Return the number of counted hands that share no card with this one, whose cards ascend."""
    cdef int a, b, c, d, e
    cdef int32_t two, three, four, count = w.counter[0][0]
    if depth < 1:
        return count
    for a in range(size):
        count -= w.counter[1][cards[a]]
        if depth < 2:
            continue
        for b in range(a + 1, size):
            two = cards[a] + BINOMIAL[cards[b]][2]
            count += w.counter[2][two]
            if depth < 3:
                continue
            for c in range(b + 1, size):
                three = two + BINOMIAL[cards[c]][3]
                count -= w.counter[3][three]
                if depth < 4:
                    continue
                for d in range(c + 1, size):
                    four = three + BINOMIAL[cards[d]][4]
                    count += w.counter[4][four]
                    if depth < 5:
                        continue
                    for e in range(d + 1, size):
                        count -= w.counter[5][four + BINOMIAL[cards[e]][5]]
    return count


cdef inline Py_ssize_t add_below(Work* w, const Hands* theirs, Py_ssize_t at, int rank) noexcept nogil:
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


cdef inline void read_hands(const Work* w, Py_ssize_t start, Py_ssize_t stop, int32_t* out) noexcept nogil:
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


cdef inline void sweep_public(const Plan* p, Work* w, const int32_t* cuts, int cut_count) noexcept nogil:
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
            if cut and at == before:    # no dealer's hand is between the two cuts
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


cdef inline void free_work(Work* w) noexcept nogil:
    cdef int size
    free_hands(&w.mine)
    free_hands(&w.theirs)
    free_hands(&w.listed)
    for size in range(MOST_PLAYER + 1):
        free(w.counter[size])
    free(w.below)
    free(w.upto)
    free(w.at_cut)


cdef inline bint make_work(const Plan* p, Work* w, int cuts, int64_t room_mine) noexcept nogil:
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
