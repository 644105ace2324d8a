"""Every deal of a short deck, one by one: the check of games with decisions that a file describes.

Nothing here is shared with the sweep: a card is an index in the deck, a hand is a set of indices, and the best hand is
the best of all its subsets, valued by counting ranks and suits. No deal stands for another one.
"""

from libc.stdint cimport int32_t, int64_t, int8_t, uint32_t

from doors cimport shaped

cdef enum:
    MOST_DECK = 24
    MOST_SIZE = 5
    ACE = 12
    SHIFT = 20             # of the category in a value; below it five ranks of four bits

# The kinds of hand; the caller gives the category of each in the order of hands.
cdef enum:
    HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL, KINDS


cdef int straight_top(const int* count, int size) noexcept nogil:
    """The highest rank of ``size`` consecutive ranks held once each, -1 without; the ace is also below the two."""
    cdef int top, k
    cdef bint whole
    for top in range(ACE, -1, -1):
        whole = True
        for k in range(size):
            if top - k < -1 or count[ACE if top - k == -1 else top - k] != 1:
                whole = False
        if whole:
            return top
    return -1


cdef int32_t value_of(const int8_t* ranks, const int8_t* suits, const int* cards, int size, const int8_t* kinds) noexcept nogil:
    """Return the value of exactly ``size`` cards: category, then the ranks that decide."""
    cdef int count[ACE + 1]
    cdef int rank, i, times, kind, top, shift = 16, pairs = 0, threes = 0, fours = 0
    cdef bint suited = True
    cdef int32_t deciding = 0
    for rank in range(ACE + 1):
        count[rank] = 0
    for i in range(size):
        count[ranks[cards[i]]] += 1
        suited = suited and suits[cards[i]] == suits[cards[0]]
    for rank in range(ACE + 1):
        pairs += count[rank] == 2
        threes += count[rank] == 3
        fours += count[rank] == 4
    top = straight_top(count, size)
    if top >= 0:
        kind = STRAIGHT
        if suited:
            kind = ROYAL if top == ACE and kinds[ROYAL] >= 0 else STRAIGHT_FLUSH
        return <int32_t> kinds[kind] << SHIFT | top << 16
    kind = HIGH
    if fours:
        kind = FOUR
    elif threes and pairs:
        kind = FULL_HOUSE
    elif suited:
        kind = FLUSH
    elif threes:
        kind = THREE
    elif pairs == 2:
        kind = TWO_PAIR
    elif pairs:
        kind = PAIR
    for times in range(4, 0, -1):
        for rank in range(ACE, -1, -1):
            if count[rank] == times:
                deciding |= rank << shift
                shift -= 4
    return <int32_t> kinds[kind] << SHIFT | deciding


cdef int32_t best_of(
    const int8_t* ranks, const int8_t* suits, uint32_t hand, int deck, int size, const int8_t* kinds
) noexcept nogil:
    """The best value of ``size`` cards of a hand; of a longest flush with size 0: number of cards, then the ranks."""
    cdef int held[MOST_DECK]
    cdef int at[MOST_SIZE]
    cdef int picked[MOST_SIZE]
    cdef int n = 0, i, k, suit, cards, mask
    cdef int32_t best = -1, value
    for i in range(deck):
        if hand >> i & 1:
            held[n] = i
            n += 1
    if size == 0:
        for suit in range(4):
            cards = 0
            mask = 0
            for i in range(n):
                if suits[held[i]] == suit:
                    cards += 1
                    mask |= 1 << ranks[held[i]]
            value = cards << SHIFT | mask
            if value > best:
                best = value
        return best
    for i in range(size):
        at[i] = i
    while n >= size:
        for i in range(size):
            picked[i] = held[at[i]]
        value = value_of(ranks, suits, picked, size, kinds)
        if value > best:
            best = value
        i = size - 1
        while i >= 0 and at[i] == n - size + i:
            i -= 1
        if i < 0:
            break
        at[i] += 1
        for k in range(i + 1, size):
            at[k] = at[k - 1] + 1
    return best


def values(const int8_t[::1] ranks, const int8_t[::1] suits, int size, const int8_t[::1] kinds,
           const uint32_t[::1] hands, int32_t[::1] out):
    """Write the value of each hand, a set of places in the deck. ``kinds`` are the categories, -1 for none."""
    cdef Py_ssize_t i
    cdef int deck = <int> ranks.shape[0]
    shaped(suits.shape[0] == deck and deck <= MOST_DECK and kinds.shape[0] == KINDS, "a deck of at most 24 cards")
    shaped(hands.shape[0] == out.shape[0] and 0 <= size <= MOST_SIZE, "a value a hand")
    for i in range(deck):
        if not (0 <= ranks[i] <= ACE and 0 <= suits[i] < 4):
            raise ValueError("the deck has an invalid card")
    with nogil:
        for i in range(hands.shape[0]):
            out[i] = best_of(&ranks[0], &suits[0], hands[i], deck, size, &kinds[0])


def compare(
    const uint32_t[::1] boards, const uint32_t[::1] upcards, const uint32_t[::1] players, const int32_t[::1] mine,
    const uint32_t[::1] dealers, const int32_t[::1] value_at, bint with_board, bint with_upcards,
    const int32_t[::1] cuts, int32_t[:, :, ::1] out,
):
    """Compare the hand of each state with every hand of the dealer; ``out`` is [state][lose, tie, win][interval].

    ``value_at`` holds the dealer's values by set of places.
    """
    cdef Py_ssize_t s, d
    cdef uint32_t taken, known, bits = 0
    cdef int32_t theirs
    cdef int cut, cut_count = <int> cuts.shape[0]
    shaped(out.shape[0] == players.shape[0] == mine.shape[0] and out.shape[1] == 3 and out.shape[2] == cut_count + 1,
           "[state][result][interval]")
    shaped(boards.shape[0] == players.shape[0] == upcards.shape[0], "a board and upcards a state")
    for s in range(players.shape[0]):
        bits |= boards[s] | upcards[s]
    for d in range(dealers.shape[0]):
        bits |= dealers[d]
    shaped(bits < value_at.shape[0], "a value for all sets of places")
    with nogil:
        for s in range(players.shape[0]):
            taken = boards[s] | upcards[s] | players[s]
            known = (boards[s] if with_board else 0) | (upcards[s] if with_upcards else 0)
            for d in range(dealers.shape[0]):
                if dealers[d] & taken:
                    continue
                theirs = value_at[dealers[d] | known]
                cut = 0
                while cut < cut_count and cuts[cut] <= theirs:
                    cut += 1
                out[s, 0 if theirs > mine[s] else 1 if theirs == mine[s] else 2, cut] += 1
