"""Chase the Flush, one position or one round at a time: the dealer's hands counted suit by suit, or dealt.

Nothing here uses the walk over classes and boards of the solution, nor its tables, so it is held against
it: `count_dealer` for one board by the flushes that each suit can still show, listed one by one, `count_literally`
by dealing every dealer hand, and `simulate` by playing rounds to their end.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from random_stream cimport Deck, deal, open_block
from suit_masks cimport best_flush, size

cdef enum:
    DEALER_HANDS = 14190            # C(45, 3)
    NINE_HIGH = 3 << 13 | 1 << 7    # no flush of three without a nine or better is as much

cdef int[14][4] CHOOSE
cdef uint16_t[4][286] CARDS         # the masks of none to three cards


cdef void fill_tables() noexcept nogil:
    cdef int n, k, mask
    cdef int[14] listed
    for n in range(14):
        CHOOSE[n][0] = 1
        for k in range(1, 4):
            CHOOSE[n][k] = 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]
    memset(listed, 0, sizeof(listed))
    for mask in range(8192):
        k = size(mask)
        if k < 4:
            CARDS[k][listed[k]] = mask
        listed[k] += 1


fill_tables()


cdef struct Counts:
    # dealer hands against a flush
    int below
    int upto
    int unqualified


cdef int dealers_below(const int* hole, const int* board, int flush) noexcept nogil:
    """How many sets of three unseen cards make no suit with the board's as high as ``flush``; at most 14,190."""
    cdef int[4] hands
    cdef int[4] ways
    cdef int s, k, n, i, length, more, unseen
    memset(hands, 0, sizeof(hands))
    hands[0] = 1
    for s in range(4):
        unseen = 0x1FFF & ~(hole[s] | board[s])
        length = size(board[s])
        for k in range(4):
            if length + k > flush >> 13:
                ways[k] = 0
            elif length + k < flush >> 13:
                ways[k] = CHOOSE[size(unseen)][k]
            else:
                ways[k] = 0
                for i in range(CHOOSE[13][k]):
                    ways[k] += CARDS[k][i] & ~unseen == 0 and board[s] | CARDS[k][i] < flush & 0x1FFF
        for n in range(3, -1, -1):
            more = 0
            for k in range(n + 1):
                more += ways[k] * hands[n - k]
            hands[n] = more
    return hands[3]


cdef void dealers(const int* hole, const int* board, int flush, Counts* counts) noexcept nogil:
    """Count the dealer's hands on a board of four cards against the player's flush."""
    counts.below = dealers_below(hole, board, flush)
    counts.upto = dealers_below(hole, board, flush + 1)
    counts.unqualified = dealers_below(hole, board, NINE_HIGH)


def count_dealer(const int32_t[:, ::1] holes, const int32_t[:, ::1] boards, int64_t[:, ::1] out):
    """For each hand of three cards and board of four, masks by suit, the flush and the dealer's hands.

    ``out``: [position][flush as length << 13 | ranks, hands below it, not above it, not qualifying].
    """
    cdef int item, s
    cdef int hole[4]
    cdef int board[4]
    cdef int hand[4]
    cdef Counts counts
    with nogil:
        for item in range(holes.shape[0]):
            for s in range(4):
                hole[s] = holes[item, s]
                board[s] = boards[item, s]
                hand[s] = hole[s] | board[s]
            out[item, 0] = best_flush(hand)
            dealers(hole, board, best_flush(hand), &counts)
            out[item, 1] = counts.below
            out[item, 2] = counts.upto
            out[item, 3] = counts.unqualified


def count_literally(const uint8_t[::1] hole, const uint8_t[:, ::1] boards, int64_t[:, ::1] out):
    """What `count_dealer` counts, by dealing all 14,190 dealer hands: cards 0..51, no closed form.

    ``hole``: three cards; ``boards``: four cards each; ``out`` as in `count_dealer`.
    """
    cdef int item, i, j, k, card, s, cards = 0, own, flush
    cdef int unseen[52]
    cdef int board[4]
    cdef int hand[4]
    with nogil:
        for item in range(boards.shape[0]):
            board[0] = board[1] = board[2] = board[3] = 0
            for i in range(4):
                board[boards[item, i] // 13] |= 1 << boards[item, i] % 13
            for s in range(4):
                hand[s] = board[s]
            for i in range(3):
                hand[hole[i] // 13] |= 1 << hole[i] % 13
            own = best_flush(hand)
            cards = 0
            for card in range(52):
                if not hand[card // 13] >> card % 13 & 1:
                    unseen[cards] = card
                    cards += 1
            out[item, 0] = own
            out[item, 1] = out[item, 2] = out[item, 3] = 0
            for i in range(cards):
                for j in range(i):
                    for k in range(j):
                        for s in range(4):
                            hand[s] = board[s]
                        hand[unseen[i] // 13] |= 1 << unseen[i] % 13
                        hand[unseen[j] // 13] |= 1 << unseen[j] % 13
                        hand[unseen[k] // 13] |= 1 << unseen[k] % 13
                        flush = best_flush(hand)
                        out[item, 1] += flush < own
                        out[item, 2] += flush <= own
                        out[item, 3] += flush < NINE_HIGH


cdef inline int unseen_card(const int32_t* held, int suit, int rank) noexcept nogil:
    """The number of a card among the 49 that a class of hole cards leaves, suit by suit from the two up."""
    cdef int s, number = rank - size(held[suit] & ((1 << rank) - 1))
    for s in range(suit):
        number += 13 - size(held[s])
    return number


cdef bint raises_river(
    const int* hole, const int* board, int flush, const int64_t* utility, bint raise_ties
) noexcept nogil:
    """Whether 1x is worth more than a fold over all dealer hands, result by result."""
    cdef Counts counts
    cdef int64_t worth
    cdef const int64_t* raising = utility + 72 + (flush >> 13) - 2     # [qualifies][lose, tie, win][length - 2]
    cdef int64_t folded = DEALER_HANDS * utility[108 + (flush >> 13) - 2]
    dealers(hole, board, flush, &counts)
    if flush < NINE_HIGH:
        worth = (raising[12] * counts.below + raising[6] * (counts.upto - counts.below)
                 + raising[0] * (counts.unqualified - counts.upto) + raising[18] * (DEALER_HANDS - counts.unqualified))
    else:
        worth = (raising[12] * counts.unqualified + raising[30] * (counts.below - counts.unqualified)
                 + raising[24] * (counts.upto - counts.below) + raising[18] * (DEALER_HANDS - counts.upto))
    return worth > folded or (raise_ties and worth == folded)


def simulate(
    int start, int stop, int rounds, uint64_t seed, const int32_t[::1] classes, const uint8_t[:, ::1] suits,
    const int32_t[:, ::1] holes, const uint8_t[::1] at_once, const uint8_t[:, :, ::1] flops,
    const int64_t[:, :, :, ::1] utility, bint raise_ties, int64_t[:, :, :, ::1] seen,
):
    """Deal rounds card by card from a shuffled deck, play each as solved, and look who wins.

    Block number b of ``[start, stop)`` is ``rounds`` rounds with a stream of its own, made from ``seed`` and b.
    Three hole cards a < b < c (0..51) have number C(c, 3) + C(b, 2) + a: ``classes`` gives their class, ``suits``
    for each suit its place in the class. ``at_once``, ``flops``: [class] the hole cards, and [class][card][card]
    the flops, that raise. The river is decided by its exact count. ``seen[choice][dealer qualifies][lose, tie,
    win][flush length - 2]`` is added to.
    """
    cdef int block, n, i, j, k, number, item, choice, mine, theirs, suit
    cdef int hole[4]
    cdef int board[4]
    cdef int dealer[4]
    cdef int card[3]
    cdef int flop[2]
    cdef Deck deck
    with nogil:
        for block in range(start, stop):
            open_block(&deck, seed, block)
            for n in range(rounds):
                # the player's three, the flop, turn and river, the dealer's three
                deal(&deck, 10)
                memset(hole, 0, sizeof(hole))
                memset(board, 0, sizeof(board))
                for i in range(3):
                    hole[deck.card[i] // 13] |= 1 << deck.card[i] % 13
                    card[i] = deck.card[i]
                for i in range(2, 0, -1):
                    for j in range(i):
                        if card[j] > card[j + 1]:
                            card[j], card[j + 1] = card[j + 1], card[j]
                number = (card[2] * (card[2] - 1) * (card[2] - 2) // 6 + card[1] * (card[1] - 1) // 2
                          + card[0])
                item = classes[number]
                for i in range(3, 7):
                    board[deck.card[i] // 13] |= 1 << deck.card[i] % 13
                for i in range(4):
                    dealer[i] = hole[i] | board[i]
                mine = best_flush(dealer)
                if at_once[item]:
                    choice = 0
                else:
                    for k in range(2):
                        suit = suits[number, deck.card[3 + k] // 13]
                        flop[k] = unseen_card(&holes[item, 0], suit, deck.card[3 + k] % 13)
                    if flops[item, flop[0], flop[1]]:
                        choice = 1
                    else:
                        choice = 2 if raises_river(hole, board, mine, &utility[0, 0, 0, 0], raise_ties) else 3
                for i in range(7, 10):
                    board[deck.card[i] // 13] |= 1 << deck.card[i] % 13
                theirs = best_flush(board)
                seen[choice, theirs >= NINE_HIGH, (theirs <= mine) + (theirs < mine), (mine >> 13) - 2] += 1
