"""High Card Flush, one hand or one round at a time: the dealer's hands counted or dealt, rounds played.

This module checks the solution; it does not use its forms, its walk over classes or its tables.
`count_dealer` lists the flushes that each suit can still make. `count_literally` deals every dealer
hand. `Rounds` plays rounds to their end.
"""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from binomials cimport BINOMIAL, fill_binomials
from dealt_rounds cimport Records, Shoe, deal, keep_cards, keep_end, open_block, open_records
from doors cimport sized, within
from endings cimport ENDINGS, FAILS, LOSE, QUALIFIES, SHORTEST, TIE, WIN, ending, result_of
from suit_masks cimport best_flush, holds, set_hand, size, turn

cdef enum:
    NINE_HIGH = 3 << 13 | 1 << 7 | 3    # 9-3-2, the least flush with which the dealer qualifies
    EIGHT_HIGH = 35                     # C(7, 3) flushes of three are lower
    LOW = 127                           # the ranks below the nine

cdef int DEALERS                        # C(45, 7) = 45,379,620
cdef uint16_t[8][1716] FLUSH            # the masks of each size, ascending
cdef int[8192] PLACE                    # of a mask among those of its size


cdef void fill_tables() noexcept nogil:
    cdef int k, mask
    cdef int[14] listed
    fill_binomials()
    memset(listed, 0, sizeof(listed))
    for mask in range(8192):
        k = size(mask)
        if k < 8:
            FLUSH[k][listed[k]] = mask
        PLACE[mask] = listed[k]
        listed[k] += 1


fill_tables()
DEALERS = BINOMIAL[45][7]


cdef inline bint qualifies(int flush, bint long_qualifies) noexcept nogil:
    return flush >= NINE_HIGH and (long_qualifies or (flush & 8191) > LOW)


cdef inline int possible(int length, int number, int held) noexcept nogil:
    """The number of flushes, of the first ``number`` of a length, without a card that the player holds."""
    cdef uint16_t count = 0, mask = held
    cdef int i
    for i in range(number):
        count += (FLUSH[length][i] & mask) == 0
    return count


cdef int below(const int* held, int length, const int* ways) noexcept nogil:
    """The dealer hands with fewer than ``length`` cards of each suit, or one of ``ways[suit]`` sets of that many.

    No sum is larger than the number of dealer hands.
    """
    cdef int[8] hands
    cdef int suit, n, k, left, total
    memset(hands, 0, sizeof(hands))
    hands[0] = 1
    for suit in range(4):
        left = 13 - size(held[suit])
        for n in range(7, -1, -1):
            total = ways[suit] * hands[n - length] if n >= length else 0
            for k in range(min(length, n + 1)):
                total += BINOMIAL[left][k] * hands[n - k]
            hands[n] = total
    return hands[7]


cdef void count(const int* held, int flush, bint long_qualifies, int64_t* cell) noexcept nogil:
    """Write the dealer hands against the player's flush by [qualifies][player loses, ties, wins]."""
    cdef int suit, n, ways, eights, length = flush >> 13, ranks = flush & 8191, lower = PLACE[flush & 8191]
    cdef int less, upto, low, low_less, low_upto
    cdef int[4] to_less
    cdef int[4] to_upto
    cdef int[4] to_low
    for suit in range(4):
        to_less[suit] = possible(length, lower, held[suit])
        to_upto[suit] = to_less[suit] + (held[suit] & ranks == 0)
        to_low[suit] = possible(3, EIGHT_HIGH, held[suit])
    less, upto = below(held, length, to_less), below(held, length, to_upto)
    low = low_less = low_upto = below(held, 3, to_low)
    if flush < NINE_HIGH:
        low_less, low_upto = less, upto
    if not long_qualifies:
        # Eight high in four to seven cards of a suit; a hand has at most one such suit, so counts add up.
        for suit in range(4):
            for n in range(4, 8):
                ways = BINOMIAL[32 + size(held[suit])][7 - n]
                eights = ways * possible(n, BINOMIAL[7][n], held[suit])
                low += eights
                if n < length:
                    low_less += eights
                    low_upto += eights
                elif n == length:
                    low_less += ways * possible(n, min(BINOMIAL[7][n], lower), held[suit])
                    low_upto += ways * possible(n, min(BINOMIAL[7][n], lower + 1), held[suit])
    cell[ending(FAILS, LOSE)] = low - low_upto
    cell[ending(FAILS, TIE)] = low_upto - low_less
    cell[ending(FAILS, WIN)] = low_less
    cell[ending(QUALIFIES, LOSE)] = DEALERS - upto - (low - low_upto)
    cell[ending(QUALIFIES, TIE)] = upto - less - (low_upto - low_less)
    cell[ending(QUALIFIES, WIN)] = less - low_less


def count_dealer(const int32_t[:, ::1] hands, bint long_qualifies, int64_t[:, ::1] cells):
    """Write dealer hands to ``cells[hand][3 * qualifies + result]`` for player hands of seven cards, as masks by suit.

    ``result``: the player loses, ties, wins.
    """
    sized("hands", hands.shape, (None, 4))
    sized("cells", cells.shape, (hands.shape[0], ENDINGS))
    cdef int item, suit
    cdef int[4] held
    with nogil:
        for item in range(hands.shape[0]):
            for suit in range(4):
                held[suit] = hands[item, suit]
            count(held, best_flush(held), long_qualifies, &cells[item, 0])


cdef inline void deal_from(
    int a, const int* left, int* hand, const int* order, int mine, bint long_qualifies, int64_t* cells
) noexcept nogil:
    """Deal six cards after number ``a`` of those left; ``order`` gives a mask's place as a flush."""
    cdef int b, c, d, e, f, g, best
    for b in range(a + 1, 40):
        turn(hand, left[b])
        for c in range(b + 1, 41):
            turn(hand, left[c])
            for d in range(c + 1, 42):
                turn(hand, left[d])
                for e in range(d + 1, 43):
                    turn(hand, left[e])
                    for f in range(e + 1, 44):
                        turn(hand, left[f])
                        for g in range(f + 1, 45):
                            turn(hand, left[g])
                            best = max(max(order[hand[0]], order[hand[1]]), max(order[hand[2]], order[hand[3]]))
                            turn(hand, left[g])
                            cells[ending(qualifies(best, long_qualifies), result_of(mine, best))] += 1
                        turn(hand, left[f])
                    turn(hand, left[e])
                turn(hand, left[d])
            turn(hand, left[c])
        turn(hand, left[b])


def count_literally(
    Py_ssize_t start, Py_ssize_t stop, const int32_t[::1] held, int flush, bint long_qualifies, int64_t[::1] cells,
):
    """Deal every dealer hand whose first card is one of ``[start, stop)`` of the 45 left.

    ``held`` are the player's masks by suit; ``cells[3 * qualifies + result]`` is added to. Every hand is settled
    by its four masks, without the counts above.
    """
    sized("held", held.shape, (4,))
    sized("cells", cells.shape, (ENDINGS,))
    within(start, stop, 45, "cards")
    cdef int[45] left
    cdef int[8192] order
    cdef int[4] hand
    cdef int[4] player
    cdef int card, n = 0
    for card in range(4):
        player[card] = held[card]
    for card in range(52):
        if not holds(player, card):
            if n < 45:
                left[n] = card
            n += 1
    if n != 45:
        raise ValueError("a player has seven cards")
    with nogil:
        for n in range(8192):
            order[n] = size(n) << 13 | n
        hand[0] = hand[1] = hand[2] = hand[3] = 0
        for card in range(start, min(stop, 39)):
            turn(hand, left[card])
            deal_from(card, left, hand, order, size(flush) << 13 | flush, long_qualifies, &cells[0])
            turn(hand, left[card])


cdef int choose(const int64_t* cell, const int64_t* utility, int allowed) noexcept nogil:
    """Return the choice of greatest utility over all dealer hands, the first of equals."""
    cdef int64_t value, most = 0
    cdef int k, choice, best = 0
    for choice in range(allowed):
        value = 0
        for k in range(ENDINGS):
            value += utility[ENDINGS * choice + k] * cell[k]
        if choice == 0 or value > most:
            best, most = choice, value
    return best


@final
cdef class Rounds:
    """Rounds of a game, played at the best choice.

    ``utility`` [length - 2][choice][3 * qualifies + result] and ``allowed`` [length - 2] are those of the solution.
    A value is below 45,379,620 times the greatest utility, which the caller keeps below 2^57.
    """

    cdef const int64_t[:, :, ::1] utility
    cdef const int32_t[::1] allowed
    cdef bint long_qualifies

    def __init__(self, const int64_t[:, :, ::1] utility, const int32_t[::1] allowed, bint long_qualifies):
        sized("utility", utility.shape, (6, None, ENDINGS))
        sized("allowed", allowed.shape, (6,))
        self.utility, self.allowed, self.long_qualifies = utility, allowed, long_qualifies

    def deal(
        self, Py_ssize_t start, Py_ssize_t stop, int rounds, uint64_t seed, int64_t[:, :, ::1] seen,
        int32_t[:, ::1] ends, uint8_t[:, ::1] dealt,
    ):
        """Deal the hands of some spots and the dealer's, play each spot by its seven cards, and settle it.

        Block number b of ``[start, stop)`` is ``rounds`` rounds with its own random stream, made from ``seed`` and b.
        ``seen[choice][3 * qualifies + result][length - 2]`` is added to for every spot. ``ends`` and ``dealt`` are the
        records of the rounds: the index of a spot in ``seen``, and the cards, seven per spot, then the dealer's.
        """
        sized("seen", seen.shape, (self.utility.shape[1], ENDINGS, 6))
        cdef Py_ssize_t block, row
        cdef int spot, mine, theirs, length, choice, end
        cdef int[4] player
        cdef int[4] dealer
        cdef int64_t[ENDINGS] cell
        cdef Shoe shoe
        cdef Records records
        open_records(&records, ends, dealt, 6, 7, 7, stop * rounds)
        with nogil:
            for block in range(start, stop):
                open_block(&shoe, NULL, 52, seed, block)
                for row in range(block * rounds, (block + 1) * rounds):
                    deal(&shoe, records.cards)
                    keep_cards(&records, row, &shoe)
                    set_hand(dealer, &shoe.card[7 * records.spots], 7)
                    theirs = best_flush(dealer)
                    for spot in range(records.spots):
                        set_hand(player, &shoe.card[7 * spot], 7)
                        mine = best_flush(player)
                        count(player, mine, self.long_qualifies, cell)
                        length = (mine >> 13) - SHORTEST
                        choice = choose(cell, &self.utility[length, 0, 0], self.allowed[length])
                        end = ending(qualifies(theirs, self.long_qualifies), result_of(mine, theirs))
                        seen[choice, end, length] += 1
                        keep_end(&records, row, spot, (ENDINGS * choice + end) * 6 + length)
