"""Public cards up to suits: canonical boards and upcards, and the index of any other one.

The suits that the removed cards do not distinguish may be permuted. A pair of board and upcards is canonical if the
masks of its suits fall within each block of such suits.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from binomials cimport BINOMIAL, fill_binomials
from doors cimport shaped
from showdown_hands cimport CARDS, RANKS, SUITS, Blocks, orbit, set_blocks, suit_mask

fill_binomials()


cdef enum:
    MOST_SEEN = 7


cdef bint first_hand(uint8_t* cards, int size, uint64_t out) noexcept nogil:
    """Set the lowest hand without the cards that are out; return whether there is one."""
    cdef int card = 0, i
    for i in range(size):
        while card < CARDS and out >> card & 1:
            card += 1
        if card == CARDS:
            return False
        cards[i] = <uint8_t> card
        card += 1
    return True


cdef bint next_hand(uint8_t* cards, int size, uint64_t out) noexcept nogil:
    """Move to the next hand without the cards that are out; return whether there is one."""
    cdef int i = size - 1, k, card, room
    while i >= 0:
        card = cards[i] + 1
        k = i
        while card < CARDS and k < size:
            if not out >> card & 1:
                cards[k] = <uint8_t> card
                k += 1
            card += 1
        if k == size:
            return True
        i -= 1
    return False


cdef uint64_t set_of(const uint8_t* cards, int size) noexcept nogil:
    cdef uint64_t held = 0
    cdef int i
    for i in range(size):
        held |= <uint64_t> 1 << cards[i]
    return held


cdef int64_t index_of(uint64_t cards) noexcept nogil:
    cdef int card, size = 0
    cdef int64_t index = 0
    for card in range(CARDS):
        if cards >> card & 1:
            size += 1
            index += BINOMIAL[card][size]
    return index


def canonical(int board, int upcards, uint64_t removed, uint8_t[:, ::1] cards, int32_t[::1] orbits):
    """Write the canonical pairs of ``board`` and ``upcards`` cards with the sizes of their orbits; return their number.

    Nothing is written beyond the arrays, so that a call with empty ones only counts.
    """
    cdef uint8_t b[MOST_SEEN]
    cdef uint8_t u[MOST_SEEN]
    cdef Blocks blocks
    cdef uint64_t on_board, up
    cdef Py_ssize_t count = 0, room = orbits.shape[0]
    cdef int size, i
    if not (0 <= board <= MOST_SEEN and 0 <= upcards <= MOST_SEEN):
        raise ValueError("a board and upcards have at most seven cards each")
    shaped(cards.shape[0] == room and cards.shape[1] == board + upcards, "a row a class, board and upcards")
    with nogil:
        set_blocks(&blocks, 0, 0, removed)
        if first_hand(b, board, removed):
            while True:
                on_board = set_of(b, board)
                if orbit(&blocks, on_board, 0) and first_hand(u, upcards, removed | on_board):
                    while True:
                        up = set_of(u, upcards)
                        size = orbit(&blocks, on_board, up)
                        if size:
                            if count < room:
                                orbits[count] = size
                                for i in range(board):
                                    cards[count, i] = b[i]
                                for i in range(upcards):
                                    cards[count, board + i] = u[i]
                            count += 1
                        if not next_hand(u, upcards, removed | on_board):
                            break
                if not next_hand(b, board, removed):
                    break
    return count


cdef int permuted(const Blocks* blocks, uint64_t board, uint64_t up, int* to) noexcept nogil:
    """Write the suit that each suit becomes in the canonical pair; return the permutation's index among all 24."""
    cdef int chain[SUITS]
    cdef int sorted_suits[SUITS]
    cdef int suit, other, length, i, k, held, index = 0, below
    for suit in range(SUITS):
        if not blocks.heads[suit]:
            continue
        length = 0
        other = suit
        while other >= 0:
            chain[length] = other
            held = suit_mask(board, other) << RANKS | suit_mask(up, other)
            i = length
            while i > 0 and (suit_mask(board, sorted_suits[i - 1]) << RANKS | suit_mask(up, sorted_suits[i - 1])) < held:
                sorted_suits[i] = sorted_suits[i - 1]
                i -= 1
            sorted_suits[i] = other
            length += 1
            other = blocks.follows[other]
        for i in range(length):
            to[sorted_suits[i]] = chain[i]
    # The index of a permutation in lexicographic order, as itertools gives them.
    for i in range(SUITS):
        below = 0
        for k in range(i + 1, SUITS):
            below += to[k] < to[i]
        index = index * (SUITS - i) + below
    return index


cdef uint64_t moved(uint64_t cards, const int* to) noexcept nogil:
    cdef int suit
    cdef uint64_t image = 0
    for suit in range(SUITS):
        image |= <uint64_t> suit_mask(cards, suit) << RANKS * to[suit]
    return image


def locate(
    int board, int upcards, uint64_t removed, const uint8_t[:, ::1] cards, int32_t[::1] classes, uint8_t[::1] permutations
):
    """Write for every pair, at index(board) * C(52, upcards) + index(upcards), its class and the permutation to it.

    ``cards`` are the canonical pairs as `canonical` writes them. Pairs that hold removed cards or one card twice keep
    what was in the arrays.
    """
    cdef uint8_t b[MOST_SEEN]
    cdef uint8_t u[MOST_SEEN]
    cdef Blocks blocks
    cdef int to[SUITS]
    cdef uint64_t on_board, up
    cdef int64_t wide, at
    cdef Py_ssize_t i
    cdef int permutation
    if not (0 <= board <= MOST_SEEN and 0 <= upcards <= MOST_SEEN):
        raise ValueError("a board and upcards have at most seven cards each")
    wide = BINOMIAL[CARDS][upcards]
    shaped(classes.shape[0] == BINOMIAL[CARDS][board] * wide and permutations.shape[0] == classes.shape[0]
           and cards.shape[1] == board + upcards, "a class for all public cards")
    with nogil:
        set_blocks(&blocks, 0, 0, removed)
        for i in range(cards.shape[0]):
            on_board = set_of(&cards[i, 0], board) if board else 0
            up = set_of(&cards[i, board], upcards) if upcards else 0
            classes[index_of(on_board) * wide + index_of(up)] = <int32_t> i
        if first_hand(b, board, removed):
            while True:
                on_board = set_of(b, board)
                if first_hand(u, upcards, removed | on_board):
                    while True:
                        up = set_of(u, upcards)
                        permutation = permuted(&blocks, on_board, up, to)
                        at = index_of(on_board) * wide + index_of(up)
                        permutations[at] = <uint8_t> permutation
                        classes[at] = classes[index_of(moved(on_board, to)) * wide + index_of(moved(up, to))]
                        if not next_hand(u, upcards, removed | on_board):
                            break
                if not next_hand(b, board, removed):
                    break
