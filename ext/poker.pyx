"""Poker hands: the best five of five to seven cards, and hands of three cards.

A value is ``category << 20`` plus up to five ranks of four bits each. These are the ranks
that decide between hands of the category, the first one to compare in the highest bits.
Values compare as the hands do; one deck has 7,462 values of five cards.

Cards of several decks may be identical. A hand has the best category whose definition it
meets. Five of a kind is four of a kind with a fifth card of that rank. A flush may hold a
pair and is compared card by card. A straight has five different ranks.

Where the time goes: about eighteen nanoseconds per hand of seven cards, most of it to the
masks of ranks held once, twice and three times, the rest to the branches on them.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

cdef enum:
    HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH
cdef enum:
    HIGH_3, PAIR_3, FLUSH_3, STRAIGHT_3, THREE_3, STRAIGHT_FLUSH_3
cdef enum:
    ACE = 12
    MOST_CARDS = 7

cdef uint8_t[1 << 13] HIGHEST    # the highest rank of a set
cdef uint8_t[1 << 13] STRAIGHTS  # one more than the highest rank of the best straight of a set; 0 without one


cdef int prepare() noexcept:
    cdef int mask, rank, around
    for mask in range(1 << 13):
        HIGHEST[mask] = 0
        STRAIGHTS[mask] = 0
        around = mask << 1 | mask >> ACE   # the ace also below the two
        for rank in range(13):
            if mask >> rank & 1:
                HIGHEST[mask] = <uint8_t> rank
            if rank >= 3 and around >> (rank - 3) & 0b11111 == 0b11111:
                STRAIGHTS[mask] = <uint8_t> (rank + 1)
    return 0

prepare()


cdef inline int32_t with_kickers(int32_t ranks, int mask, int kickers, int shift) noexcept nogil:
    """Ranks followed by the highest ones of a mask, the first of these at ``shift``."""
    cdef int rank
    while kickers and mask:
        rank = HIGHEST[mask]
        mask ^= 1 << rank
        ranks |= rank << shift
        shift -= 4
        kickers -= 1
    return ranks


cdef inline int32_t valued(int category, int32_t ranks) noexcept nogil:
    return <int32_t> category << 20 | ranks


cdef int32_t flush_value(const int8_t** rank, const int8_t** suit, Py_ssize_t hand, int n, int flush) noexcept nogil:
    """The value of the cards of a suit that five or more cards have."""
    cdef int mask = 0, i, held, shift = 16
    cdef int32_t ranks = 0
    for i in range(n):
        if suit[i][hand] == flush:
            mask |= 1 << rank[i][hand]
    if STRAIGHTS[mask]:
        held = STRAIGHTS[mask] - 1
        return valued(ROYAL_FLUSH if held == ACE else STRAIGHT_FLUSH, held << 16)
    # Identical cards of several decks each count.
    for held in range(ACE, -1, -1):
        for i in range(n):
            if shift >= 0 and suit[i][hand] == flush and rank[i][hand] == held:
                ranks |= held << shift
                shift -= 4
    return valued(FLUSH, ranks)


cdef inline int32_t five_value(const int8_t** rank, const int8_t** suit, Py_ssize_t hand, int n) noexcept nogil:
    """Return the value of the best five of n cards."""
    # Ranks held by at least one, two and three cards.
    cdef int once = 0, twice = 0, thrice = 0
    cdef int suits = 0, bit, i, flush, held, second, cards
    cdef int32_t best = 0
    for i in range(n):
        bit = 1 << rank[i][hand]
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        suits += 1 << 4 * suit[i][hand]
    # A suit of five to seven cards has its fourth bit set after three are added.
    flush = suits + 0x3333 & 0x8888
    if flush:
        best = flush_value(
            rank, suit, hand, n, 0 if flush == 0x8 else 1 if flush == 0x80 else 2 if flush == 0x800 else 3
        )
        if best >= STRAIGHT_FLUSH << 20:
            return best
    if not twice:
        if flush:
            return best
        if STRAIGHTS[once]:
            return valued(STRAIGHT, (STRAIGHTS[once] - 1) << 16)
        return valued(HIGH, with_kickers(0, once, 5, 16))
    if thrice:
        for held in range(ACE, -1, -1):
            if not thrice >> held & 1:
                continue
            cards = 0
            for i in range(n):
                cards += rank[i][hand] == held
            if cards < 4:
                continue
            # The fifth card may be of the rank as well.
            second = held if once == 1 << held else HIGHEST[once ^ 1 << held]
            return valued(FOUR, held << 16 | (held if cards > 4 and held > second else second) << 12)
        held = HIGHEST[thrice]
        if twice != 1 << held:
            return valued(FULL_HOUSE, held << 16 | HIGHEST[twice ^ 1 << held] << 12)
    if flush:
        return best
    if STRAIGHTS[once]:
        return valued(STRAIGHT, (STRAIGHTS[once] - 1) << 16)
    held = HIGHEST[twice]
    if thrice:
        return valued(THREE, with_kickers(held << 16, once ^ 1 << held, 2, 12))
    if twice != 1 << held:
        second = HIGHEST[twice ^ 1 << held]
        return valued(TWO_PAIR, with_kickers(held << 16 | second << 12, once ^ 1 << held ^ 1 << second, 1, 8))
    return valued(PAIR, with_kickers(held << 16, once ^ 1 << held, 3, 12))


cdef inline int32_t three_value(const int8_t** rank, const int8_t** suit, Py_ssize_t hand) noexcept nogil:
    cdef int a = rank[0][hand], b = rank[1][hand], c = rank[2][hand]
    cdef bint suited = suit[0][hand] == suit[1][hand] == suit[2][hand]
    cdef bint straight
    cdef int32_t ranks
    if a < b:
        a, b = b, a
    if b < c:
        b, c = c, b
    if a < b:
        a, b = b, a
    ranks = a << 16 | b << 12 | c << 8
    if a == b == c:
        return valued(THREE_3, a << 16)
    if a == ACE and b == 1 and c == 0:
        a = 1
        straight = True
    else:
        straight = a == b + 1 == c + 2
    if straight:
        return valued(STRAIGHT_FLUSH_3 if suited else STRAIGHT_3, a << 16)
    if suited:
        return valued(FLUSH_3, ranks)
    if a == b:
        return valued(PAIR_3, a << 16 | c << 12)
    if b == c:
        return valued(PAIR_3, b << 16 | a << 12)
    return valued(HIGH_3, ranks)


cdef inline void best_fives(
    const int8_t** rank, const int8_t** suit, Py_ssize_t hands, int n, int32_t* out
) noexcept nogil:
    cdef Py_ssize_t hand
    for hand in range(hands):
        out[hand] = five_value(rank, suit, hand, n)


cdef inline bint all_below(const int8_t* numbers, Py_ssize_t count, int8_t limit) noexcept nogil:
    """Whether all are at least 0 and below the limit; the compiler vectorizes this loop."""
    cdef Py_ssize_t i
    cdef uint8_t outside = 0
    for i in range(count):
        outside |= <uint8_t> (<uint8_t> numbers[i] >= <uint8_t> limit)
    return not outside


def values(const int8_t[:, :] ranks, const int8_t[:, :] suits, int32_t[::1] out):
    """Write the value of each hand; ranks 0 (a two) to 12 (an ace) and suits 0 to 3 of the shape (cards, hands).

    Three cards are valued as three-card hands, five to seven by the best five. Raises
    ValueError for other numbers of cards, for numbers of invalid cards, and if the hands
    of a card are not contiguous.
    """
    cdef Py_ssize_t hand, hands = out.shape[0]
    cdef int n = <int> ranks.shape[0], i
    cdef const int8_t* rank[MOST_CARDS]
    cdef const int8_t* suit[MOST_CARDS]
    cdef bint right = True
    if n != 3 and not 5 <= n <= MOST_CARDS:
        raise ValueError(f"a poker hand has three, five, six or seven cards, not {n}")
    if suits.shape[0] != n or ranks.shape[1] != hands or suits.shape[1] != hands:
        raise ValueError("ranks, suits and values do not have the same number of hands")
    if not hands:
        return
    if ranks.strides[1] != 1 or suits.strides[1] != 1:
        raise ValueError("the hands of a card are not contiguous")
    for i in range(n):
        rank[i] = &ranks[i, 0]
        suit[i] = &suits[i, 0]
    with nogil:
        for i in range(n):
            right = right and all_below(rank[i], hands, ACE + 1) and all_below(suit[i], hands, 4)
        if not right:
            pass
        # The number of cards as a constant lets the compiler unroll the loop over them.
        elif n == 7:
            best_fives(rank, suit, hands, 7, &out[0])
        elif n == 6:
            best_fives(rank, suit, hands, 6, &out[0])
        elif n == 5:
            best_fives(rank, suit, hands, 5, &out[0])
        else:
            for hand in range(hands):
                out[hand] = three_value(rank, suit, hand)
    if not right:
        raise ValueError("a poker hand has an invalid card")
