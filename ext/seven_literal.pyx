"""Seven-card hands one by one: all 133,784,560 of them, dealt in ascending card order.

It uses no mask and no table of features: a hand carries its features so far, and every
card dealt to it updates them. Cards ascend, so within a suit ranks ascend. Only the
next rank continues a run, and the ace is the suit's last card.

Where the time goes: about three tenths to the 20 million six-card hands, each with fewer
than seven further cards on average: the innermost loop is short. The rest goes to the
seventh card, evaluated like every other. A special case for a card of a new suit, which
changes no flush and no run, would gain a tenth. Two histograms of 16 kB gain nothing.
"""

from libc.stdint cimport int64_t, uint64_t

from doors cimport sized, within

cdef uint64_t FOURS = 0x4444444444444
cdef uint64_t ONE = 1


cdef struct Hand:
    uint64_t ranks    # four bits a rank: how many cards have it
    int suit          # of the card dealt last
    int rank          # of the card dealt last
    int suited        # cards of that suit
    int run           # length of the run that ends in the card dealt last
    int climb         # length of the run that starts from the suit's two; 0 without the two
    int flush         # longest flush
    int high          # longest straight flush, aces high
    int wheel         # longest suited run from an ace that is low, 0 without an ace
    int nine_to_ace   # 1 with a suited 9-T-J-Q-K-A


cdef inline Hand dealt(Hand hand, int suit, int rank) noexcept nogil:
    if suit != hand.suit:
        hand.suit = suit
        hand.suited = hand.run = hand.climb = 0
        hand.rank = -2
    hand.suited += 1
    hand.run = hand.run + 1 if rank == hand.rank + 1 else 1
    if hand.run == rank + 1:
        hand.climb = hand.run
    hand.rank = rank
    hand.ranks += ONE << (4 * rank)
    hand.flush = max(hand.flush, hand.suited)
    hand.high = max(hand.high, hand.run)
    if rank == 12:
        hand.wheel = max(hand.wheel, hand.climb + 1)
        if hand.run >= 6:
            hand.nine_to_ace = 1
    return hand


cdef inline void count(Hand hand, int64_t[:, :, :, :, ::1] hands) noexcept nogil:
    hands[hand.flush, hand.high, hand.wheel, hand.nine_to_ace, (hand.ranks & FOURS) != 0] += 1


def add_hands(Py_ssize_t start, Py_ssize_t stop, int64_t[:, :, :, :, ::1] hands):
    """Add the hands whose lowest card is one of ``[start, stop)``, of the cards 0..51.

    Adds to ``hands[flush, straight flush with aces high, suited run from a low ace,
    nine to ace, four of a kind]`` (shape 8 x 8 x 8 x 2 x 2; no sum exceeds
    C(52,7) = 133,784,560).
    """
    within(start, stop, 52, "cards")
    sized("hands", hands.shape, (8, 8, 8, 2, 2))
    with nogil:
        _add(start, stop, hands)


cdef void _add(Py_ssize_t start, Py_ssize_t stop, int64_t[:, :, :, :, ::1] hands) noexcept nogil:
    cdef int a, b, c, d, e, f, suit, rank
    cdef Hand none, h1, h2, h3, h4, h5, h6
    none.ranks = 0
    none.suit = -1
    none.rank = none.suited = none.run = none.climb = 0
    none.flush = none.high = none.wheel = none.nine_to_ace = 0
    for a in range(start, stop):
        h1 = dealt(none, a // 13, a % 13)
        for b in range(a + 1, 52):
            h2 = dealt(h1, b // 13, b % 13)
            for c in range(b + 1, 52):
                h3 = dealt(h2, c // 13, c % 13)
                for d in range(c + 1, 52):
                    h4 = dealt(h3, d // 13, d % 13)
                    for e in range(d + 1, 52):
                        h5 = dealt(h4, e // 13, e % 13)
                        for f in range(e + 1, 51):
                            h6 = dealt(h5, f // 13, f % 13)
                            for rank in range(h6.rank + 1, 13):
                                count(dealt(h6, h6.suit, rank), hands)
                            for suit in range(h6.suit + 1, 4):
                                for rank in range(13):
                                    count(dealt(h6, suit, rank), hands)
