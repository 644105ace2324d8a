"""Hands of one deck: their ranks, their indices, and all hands of the cards left.

A card is 13 * suit + rank. A set of cards is 52 bits, so that a suit is thirteen of them. The index of a hand with
cards a < b < c < ... is C(a, 1) + C(b, 2) + C(c, 3) + ...: the hands of a size are numbered from 0.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from binomials cimport BINOMIAL

cdef enum:
    SUITS = 4
    RANKS = 13
    CARDS = 52
    MOST_HIDDEN = 7      # cards of a hand that the kernels list
    MOST_PLAYER = 5      # cards of a player: 2^5 subsets a hand
    RANK_LIMIT = 8192    # ranks are below: 8,191 masks of a suit, 7,462 hands of five cards


cdef struct Ranking:
    # rank = max(by_ranks[first[high] + place[low]], by_suit[mask of each suit]); see combin/games/showdown/rank_tables.py
    const uint16_t* by_ranks
    const int32_t* first
    const int32_t* place
    const uint16_t* by_suit
    uint64_t key[RANKS]      # the contribution of a rank to low + (high << 32)
    int least_suited


# Suits that the known cards do not distinguish, as chains: what follows a suit in its block, -1 for the last.
cdef struct Blocks:
    int follows[SUITS]
    bint heads[SUITS]


cdef inline int suit_mask(uint64_t cards, int suit) noexcept nogil:
    return <int> (cards >> RANKS * suit & 0x1fff)


cdef inline int size_of(uint64_t cards) noexcept nogil:
    cdef int size = 0
    while cards:
        cards &= cards - 1
        size += 1
    return size


cdef inline void set_blocks(Blocks* blocks, uint64_t board, uint64_t upcards, uint64_t removed) noexcept nogil:
    """Chain the suits that hold the same ranks of each of the three sets."""
    cdef int suit, other
    for suit in range(SUITS):
        blocks.follows[suit] = -1
        blocks.heads[suit] = True
    for suit in range(SUITS):
        for other in range(suit + 1, SUITS):
            if (suit_mask(board, suit) == suit_mask(board, other)
                    and suit_mask(upcards, suit) == suit_mask(upcards, other)
                    and suit_mask(removed, suit) == suit_mask(removed, other)):
                blocks.follows[suit] = other
                blocks.heads[other] = False
                break


cdef inline int orbit(const Blocks* blocks, uint64_t first, uint64_t second) noexcept nogil:
    """Return the size of the orbit of a canonical pair of sets under the blocks; 0 if the pair is not canonical.

    It is canonical if the masks fall within each block, the first set's before the second's.
    """
    cdef int suit, other, length, run, images = 1, a, b
    for suit in range(SUITS):
        if not blocks.heads[suit]:
            continue
        length = run = 1
        other = suit
        while blocks.follows[other] >= 0:
            a = suit_mask(first, other) << RANKS | suit_mask(second, other)
            other = blocks.follows[other]
            b = suit_mask(first, other) << RANKS | suit_mask(second, other)
            if a < b:
                return 0
            run = run + 1 if a == b else 1
            length += 1
            # length! / (product of run lengths!), one suit at a time: every partial quotient is an integer.
            images = images * length // run
    return images


cdef inline int rank_of(
    const uint16_t* by_ranks, const int32_t* first, const int32_t* place, const uint16_t* by_suit, uint64_t key,
    uint64_t cards, int live,
) noexcept nogil:
    """Return the rank of a hand; ``live``: the suits, one bit each, that may have enough cards."""
    cdef int best = by_ranks[first[<uint32_t> (key >> 32)] + place[<uint32_t> key]]
    cdef int suit, suited
    suit = 0
    while live:
        if live & 1:
            suited = by_suit[suit_mask(cards, suit)]
            if suited > best:
                best = suited
        live >>= 1
        suit += 1
    return best


cdef inline int next_subset(int* chosen, int size, int n) noexcept nogil:
    """Move to the next ``size`` of ``n`` indices; return the first index that changes, or -1 after the last subset."""
    cdef int i = size - 1, k
    while i >= 0 and chosen[i] == n - size + i:
        i -= 1
    if i >= 0:
        chosen[i] += 1
        for k in range(i + 1, size):
            chosen[k] = chosen[k - 1] + 1
    return i


cdef inline Py_ssize_t list_hands(
    const Ranking* r, const uint8_t* left, int n, int size, uint64_t known, const Blocks* blocks,
    uint16_t* rank, uint8_t* cards, int32_t* index, int32_t* weight,
) noexcept nogil:
    """List the hands of ``size`` of the ``n`` cards left, ascending, each ranked with the ``known`` cards.

    With ``blocks`` only canonical hands are listed, each with the size of its orbit. Returns their number.
    ``index`` and ``weight`` may be NULL.
    """
    cdef int at[MOST_HIDDEN + 1]
    cdef uint64_t keys[MOST_HIDDEN + 1]
    cdef uint64_t sets[MOST_HIDDEN + 1]
    cdef int32_t places[MOST_HIDDEN + 1]
    cdef uint64_t added[RANKS]
    cdef uint64_t key = 0, all_cards
    # Local copies of the tables' addresses: the compiler would read them again after every byte written.
    cdef const uint16_t* by_ranks = r.by_ranks
    cdef const uint16_t* by_suit = r.by_suit
    cdef const int32_t* first = r.first
    cdef const int32_t* place = r.place
    cdef int i, k, card, live = 0, fixed = size - 1, start, images = 1
    cdef Py_ssize_t count = 0
    for i in range(RANKS):
        added[i] = r.key[i]
    for card in range(CARDS):
        if known >> card & 1:
            key += added[card % RANKS]
    for i in range(SUITS):
        if size_of(known >> RANKS * i & 0x1fff) + size >= r.least_suited:
            live |= 1 << i
    if size == 0:
        rank[0] = <uint16_t> rank_of(by_ranks, first, place, by_suit, key, known, live)
        if index != NULL:
            index[0] = 0
        if weight != NULL:
            weight[0] = 1
        return 1
    if n < size:
        return 0
    keys[0], sets[0], places[0] = key, 0, 0
    i = 0
    for k in range(fixed):
        at[k] = k
    while True:
        for k in range(i, fixed):
            card = left[at[k]]
            keys[k + 1] = keys[k] + added[card % RANKS]
            sets[k + 1] = sets[k] | <uint64_t> 1 << card
            places[k + 1] = places[k] + BINOMIAL[card][k + 1]
        start = at[fixed - 1] + 1 if fixed else 0
        for k in range(start, n):
            card = left[k]
            all_cards = sets[fixed] | <uint64_t> 1 << card
            if blocks != NULL:
                images = orbit(blocks, all_cards, 0)
                if not images:
                    continue
            rank[count] = <uint16_t> rank_of(
                by_ranks, first, place, by_suit, keys[fixed] + added[card % RANKS], known | all_cards, live)
            for i in range(fixed):
                cards[count * size + i] = left[at[i]]
            cards[count * size + fixed] = <uint8_t> card
            if index != NULL:
                index[count] = places[fixed] + BINOMIAL[card][size]
            if weight != NULL:
                weight[count] = images
            count += 1
        i = next_subset(at, fixed, n - 1)
        if i < 0:
            return count
