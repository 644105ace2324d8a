"""Chase the Flush, one position or one round at a time: the dealer's hands counted suit by suit, or dealt.

This module checks the solution; it does not use its walk over classes and boards or its tables.
`count_dealer` takes one board and lists the flushes that each suit can still make. `count_literally`
deals every dealer hand. `Rounds` plays rounds to their end.
"""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from binomials cimport BINOMIAL, fill_binomials
from dealt_rounds cimport Records, Shoe, deal, keep_cards, keep_end, open_block, open_records
from doors cimport sized
from endings cimport FAILS, FOLD, LOSE, QUALIFIES, RAISE_1X, RAISE_2X, RAISE_3X, SHORTEST, TIE, WIN, cell, result_of
from suit_masks cimport best_flush, holds, set_hand, size, turn, turn_all

cdef enum:
    DEALER_HANDS = 14190            # C(45, 3)
    NINE_HIGH = 3 << 13 | 1 << 7    # lower than any flush of three with a nine or better, higher than the others

cdef uint16_t[4][286] CARDS         # the masks of none to three cards


cdef void fill_tables() noexcept nogil:
    cdef int k, mask
    cdef int[14] listed
    fill_binomials()
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
    """The sets of three unseen cards that, with the board, make no flush as high as ``flush``; at most 14,190."""
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
                ways[k] = BINOMIAL[size(unseen)][k]
            else:
                ways[k] = 0
                for i in range(BINOMIAL[13][k]):
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
    """Write for each hand of three cards and board of four, masks by suit, the flush and the dealer's hands.

    ``out``: [position][flush as length << 13 | ranks, hands below it, not above it, not qualifying].
    """
    sized("holes", holes.shape, (None, 4))
    sized("boards", boards.shape, (holes.shape[0], 4))
    sized("out", out.shape, (holes.shape[0], 4))
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
    """Write the counts of `count_dealer` from all 14,190 dealer hands, dealt one by one: cards 0..51.

    ``hole``: three cards; ``boards``: four cards each; ``out`` as in `count_dealer`.
    """
    sized("hole", hole.shape, (3,))
    sized("boards", boards.shape, (None, 4))
    sized("out", out.shape, (boards.shape[0], 4))
    cdef int item, i, j, k, card, cards, mine, flush
    cdef int unseen[52]
    cdef int board[4]
    cdef int hand[4]
    with nogil:
        for item in range(boards.shape[0]):
            set_hand(board, &boards[item, 0], 4)
            memcpy(hand, board, sizeof(board))
            turn_all(hand, &hole[0], 3)
            mine = best_flush(hand)
            cards = 0
            for card in range(52):
                if not holds(hand, card):
                    unseen[cards] = card
                    cards += 1
            out[item, 0] = mine
            out[item, 1] = out[item, 2] = out[item, 3] = 0
            for i in range(cards):
                for j in range(i):
                    for k in range(j):
                        memcpy(hand, board, sizeof(board))
                        turn(hand, unseen[i])
                        turn(hand, unseen[j])
                        turn(hand, unseen[k])
                        flush = best_flush(hand)
                        out[item, 1] += flush < mine
                        out[item, 2] += flush <= mine
                        out[item, 3] += flush < NINE_HIGH


cdef inline int unseen_card(const int32_t* held, const uint8_t* suits, int card) noexcept nogil:
    """Return the number of a card among the 49 that a class of hole cards leaves, suit by suit from the two up.

    ``suits``: the index in the class of each suit as dealt.
    """
    cdef int s, suit = suits[card // 13], rank = card % 13
    cdef int number = rank - size(held[suit] & ((1 << rank) - 1))
    for s in range(suit):
        number += 13 - size(held[s])
    return number


cdef bint raises_river(
    const int* hole, const int* board, int flush, const int64_t* utility, bint raise_ties
) noexcept nogil:
    """Return whether 1x is better than a fold over all dealer hands, added up by result."""
    cdef Counts counts
    cdef int64_t worth
    cdef int n = flush >> 13
    cdef int64_t folded = DEALER_HANDS * utility[cell(FOLD, FAILS, LOSE, n)]
    dealers(hole, board, flush, &counts)
    if flush < NINE_HIGH:
        worth = (
            utility[cell(RAISE_1X, FAILS, WIN, n)] * counts.below
            + utility[cell(RAISE_1X, FAILS, TIE, n)] * (counts.upto - counts.below)
            + utility[cell(RAISE_1X, FAILS, LOSE, n)] * (counts.unqualified - counts.upto)
            + utility[cell(RAISE_1X, QUALIFIES, LOSE, n)] * (DEALER_HANDS - counts.unqualified)
        )
    else:
        worth = (
            utility[cell(RAISE_1X, FAILS, WIN, n)] * counts.unqualified
            + utility[cell(RAISE_1X, QUALIFIES, WIN, n)] * (counts.below - counts.unqualified)
            + utility[cell(RAISE_1X, QUALIFIES, TIE, n)] * (counts.upto - counts.below)
            + utility[cell(RAISE_1X, QUALIFIES, LOSE, n)] * (DEALER_HANDS - counts.upto)
        )
    return worth > folded or (raise_ties and worth == folded)


cdef inline int number_of(int a, int b, int c) noexcept nogil:
    """Return the number of three hole cards in any order: C(c, 3) + C(b, 2) + a for a < b < c."""
    cdef int low = min(a, min(b, c)), high = max(a, max(b, c))
    return BINOMIAL[high][3] + BINOMIAL[a + b + c - low - high][2] + low


@final
cdef class Rounds:
    """Rounds of a game, played as solved; the river is decided by its exact count.

    Three hole cards a < b < c (0..51) have number C(c, 3) + C(b, 2) + a: ``classes`` gives their class, ``suits``
    for each suit its index in the class. ``holes``: masks of a class. ``at_once``, ``flops``: [class] the hole cards,
    and [class][card][card] the flops, that raise. ``utility``: [choice][dealer qualifies][lose, tie, win][flush
    length - 2]; ``raise_ties``: a river with equal choices is raised.
    """

    cdef const int32_t[::1] classes
    cdef const uint8_t[:, ::1] suits
    cdef const int32_t[:, ::1] holes
    cdef const uint8_t[::1] at_once
    cdef const uint8_t[:, :, ::1] flops
    cdef const int64_t[:, :, :, ::1] utility
    cdef bint raise_ties

    def __init__(
        self, *, const int32_t[::1] classes, const uint8_t[:, ::1] suits, const int32_t[:, ::1] holes,
        const uint8_t[::1] at_once, const uint8_t[:, :, ::1] flops, const int64_t[:, :, :, ::1] utility,
        bint raise_ties,
    ):
        sized("classes", classes.shape, (22100,))
        sized("suits", suits.shape, (22100, 4))
        sized("holes", holes.shape, (None, 4))
        sized("at_once", at_once.shape, (holes.shape[0],))
        sized("flops", flops.shape, (holes.shape[0], 49, 49))
        sized("utility", utility.shape, (4, 2, 3, 6))
        self.classes, self.suits, self.holes, self.at_once, self.flops = classes, suits, holes, at_once, flops
        self.utility, self.raise_ties = utility, raise_ties

    cdef int choose(self, const uint16_t* card, const uint16_t* flop, const int* board, int flush) noexcept nogil:
        """Return the choice of a player with three cards and a flush, on a board that begins with the flop."""
        cdef int number = number_of(card[0], card[1], card[2]), item = self.classes[number]
        cdef const int32_t* held = &self.holes[item, 0]
        cdef const uint8_t* suits = &self.suits[number, 0]
        cdef int hole[4]
        if self.at_once[item]:
            return RAISE_3X
        if self.flops[item, unseen_card(held, suits, flop[0]), unseen_card(held, suits, flop[1])]:
            return RAISE_2X
        set_hand(hole, card, 3)
        return RAISE_1X if raises_river(hole, board, flush, &self.utility[0, 0, 0, 0], self.raise_ties) else FOLD

    def deal(
        self, Py_ssize_t start, Py_ssize_t stop, int rounds, uint64_t seed, int64_t[:, :, :, ::1] seen,
        int32_t[:, ::1] ends, uint8_t[:, ::1] dealt,
    ):
        """Deal rounds of some spots, play each spot by its cards and the board, and settle it.

        Block number b of ``[start, stop)`` is ``rounds`` rounds with its own random stream, made from ``seed`` and b.
        Every spot adds to ``seen[choice][dealer qualifies][lose, tie, win][flush length - 2]``. ``ends`` and ``dealt``
        are the records of the rounds: the index of a spot in ``seen``, and the cards, three per spot, the board, the
        dealer's three.
        """
        sized("seen", seen.shape, (4, 2, 3, 6))
        cdef Py_ssize_t block, row
        cdef int spot, choice, mine, theirs, end
        cdef int board[4]
        cdef int hand[4]
        cdef uint16_t* flop
        cdef uint16_t* card
        cdef int64_t* cells = &seen[0, 0, 0, 0]
        cdef Shoe shoe
        cdef Records records
        open_records(&records, ends, dealt, 9, 3, 7, stop * rounds)
        with nogil:
            for block in range(start, stop):
                open_block(&shoe, NULL, 52, seed, block)
                for row in range(block * rounds, (block + 1) * rounds):
                    # three cards per spot, the flop, turn and river, the dealer's three
                    deal(&shoe, records.cards)
                    keep_cards(&records, row, &shoe)
                    flop = &shoe.card[3 * records.spots]
                    set_hand(board, flop, 4)
                    memcpy(hand, board, sizeof(board))
                    turn_all(hand, flop + 4, 3)
                    theirs = best_flush(hand)
                    for spot in range(records.spots):
                        card = &shoe.card[3 * spot]
                        memcpy(hand, board, sizeof(board))
                        turn_all(hand, card, 3)
                        mine = best_flush(hand)
                        choice = self.choose(card, flop, board, mine)
                        end = cell(choice, theirs >= NINE_HIGH, result_of(mine, theirs), mine >> 13)
                        cells[end] += 1
                        keep_end(&records, row, spot, end)
