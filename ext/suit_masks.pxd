"""A hand as four masks of 13 bits, for the independent methods that process one hand at a time.

A flush is ``length << 13 | ranks``, so that flushes compare as integers. The solutions have separate tables.
"""

from libc.stdint cimport uint8_t, uint16_t

ctypedef fused Card:
    uint8_t
    uint16_t


cdef inline int size(int mask) noexcept nogil:
    """Return the number of cards of a suit: its bits, added up in pairs, fours and eights."""
    mask = (mask & 0x5555) + (mask >> 1 & 0x5555)
    mask = (mask & 0x3333) + (mask >> 2 & 0x3333)
    mask = (mask & 0x0F0F) + (mask >> 4 & 0x0F0F)
    return (mask & 0xFF) + (mask >> 8)


cdef inline int best_flush(const int* hand) noexcept nogil:
    cdef int suit, best = 0
    for suit in range(4):
        best = max(best, size(hand[suit]) << 13 | hand[suit])
    return best


cdef inline void turn(int* hand, int card) noexcept nogil:
    """Add a card, 0..51, to the hand, or remove it again."""
    hand[card // 13] ^= 1 << (card % 13)


cdef inline void turn_all(int* hand, const Card* cards, int number) noexcept nogil:
    cdef int i
    for i in range(number):
        turn(hand, cards[i])


cdef inline void set_hand(int* hand, const Card* cards, int number) noexcept nogil:
    """Make the hand these cards."""
    hand[0] = hand[1] = hand[2] = hand[3] = 0
    turn_all(hand, cards, number)


cdef inline bint holds(const int* hand, int card) noexcept nogil:
    return hand[card // 13] >> (card % 13) & 1
