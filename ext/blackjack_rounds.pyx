"""Rounds of blackjack, dealt from a shuffled shoe card by card and played by a table of choices.

It uses no distribution of the dealer, no value and no formula for splits: hands hold cards, the dealer
draws by the house rule, every split hand is played in turn.
"""

from cython cimport final
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from dealt_rounds cimport MOST_CARDS, Records, Shoe, keep_cards, keep_end, next_card, open_block, open_records
from doors cimport shaped, sized

cdef enum:
    MOST_HANDS = 8
    SWITCH_HANDS = 4      # of one dealt hand of Switch
    MOST_SPOTS = 9
    HAND_POINTS = 30      # a hand is hit at 20 or less
    DEALER_POINTS = 26
    NETS = 65             # twice the net result, -32 to 32
    SWITCH_NETS = 321     # ten times the net result of two hands, -160 to 160
    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    NATURAL = 5           # the player's blackjack without a dealer's
    BOTH = 6
    DEALER = 7            # the dealer's blackjack, revealed before play


cdef int8_t[52] CLASS    # of a card 0..51: the ace 0, ten-valued cards 9


cdef void fill_tables() noexcept nogil:
    cdef int card
    for card in range(52):
        CLASS[card] = <int8_t> (0 if card % 13 == 12 else min(card % 13 + 1, 9))


fill_tables()


cdef inline int suit_of(int card) noexcept nogil:
    """Return the suit as a bit."""
    return 1 << (card // 13)


cdef inline int points(int hard, bint ace) noexcept nogil:
    return hard + 10 if ace and hard <= 11 else hard


cdef inline bint is_natural(int first, int second) noexcept nogil:
    return first + second == 9 and (first == 0 or second == 0)


cdef struct Hand:
    int total
    int stake
    int cards
    int line              # of a bonus that pays it; -1: none


cdef struct Dealt:
    # The first cards of a round by class: two for each hand, the upcard and the hole card.
    int[2][2 * MOST_SPOTS] card
    int[2][2 * MOST_SPOTS] type    # 0..51, as dealt
    int upcard
    int hole
    bint blackjack


cdef inline void deal_first(Shoe* shoe, int hands, Dealt* dealt) noexcept nogil:
    """Shuffle, and deal a card to each hand and the upcard, then again a card to each hand and the hole card."""
    cdef int which, k, card
    shoe.at = 0
    for which in range(2):
        for k in range(hands):
            card = next_card(shoe)
            dealt.card[which][k] = CLASS[card]
            dealt.type[which][k] = card
        if which == 0:
            dealt.upcard = CLASS[next_card(shoe)]
    dealt.hole = CLASS[next_card(shoe)]
    dealt.blackjack = is_natural(dealt.upcard, dealt.hole)


cdef class ShoeTable:
    """A shoe and house rules: `combin.games.blackjack.dealt_rounds.ShoeTable`."""

    cdef const uint8_t[::1] cards
    cdef const int32_t[:, ::1] two
    cdef const int32_t[:, ::1] child
    cdef const int32_t[::1] most_hands
    cdef const int8_t[::1] bonus
    cdef const int8_t[:, ::1] line
    cdef bint hits_soft_17, looks, charlie_blackjack, push_22
    cdef int charlie, charlie_split, ties_lost, ties_won
    cdef int pips, most

    def __init__(self, table, int most):
        cdef int i
        self.cards, self.two, self.child, self.most_hands = table.cards, table.two, table.child, table.most_hands
        self.bonus, self.line = table.bonus, table.line
        sized("two", self.two.shape, (10, 10))
        sized("child", self.child.shape, (None, 10))
        sized("most_hands", self.most_hands.shape, (10,))
        sized("bonus", self.bonus.shape, (self.child.shape[0],))
        sized("line", self.line.shape, (None, 5))
        for i in range(self.bonus.shape[0]):
            shaped(-1 <= self.bonus[i] < self.line.shape[0], "a bonus of each hand")
        rules = table.rules
        self.hits_soft_17, self.looks, self.push_22 = rules.hits_soft_17, rules.looks, rules.push_22
        self.charlie, self.charlie_split = rules.charlie, rules.of_splits.charlie
        self.charlie_blackjack = rules.charlie_blackjack
        self.ties_lost, self.ties_won = rules.ties_lost, rules.ties_won
        if not 1 <= self.cards.shape[0] <= MOST_CARDS:
            raise ValueError("a shoe has 1 to 416 cards")
        for i in range(self.cards.shape[0]):
            if self.cards[i] > 51:
                raise ValueError("cards are 0 to 51")
            self.pips += CLASS[self.cards[i]] + 1
        for i in range(10):
            self.most = max(self.most, self.most_hands[i])
        if self.most > most:
            raise ValueError(f"a hand is split into at most {most}")

    cdef int hold(self, int hands) except -1:
        """Raise ValueError if so many dealt hands could need more cards than the shoe has.

        A caller deals a single spot only from shoes that suffice for any round of one spot.
        """
        if self.pips < HAND_POINTS * self.most * hands + DEALER_POINTS:
            raise ValueError("fewer cards than the spots may need")
        return 0

    @final
    cdef inline int line_of(self, int place, int suits) noexcept nogil:
        """Return the line that pays a final hand with cards of these suits; -1: a plain hand."""
        cdef int bonus = self.bonus[place]
        if bonus < 0:
            return -1
        return self.line[bonus, 0 if suits == 1 else 1 if suits == 2 else 2 if suits == 4 else 3 if suits == 8 else 4]

    @final
    cdef void play(
        self, Shoe* shoe, int first, int second, int suits, const int8_t* choice, Hand* hand
    ) noexcept nogil:
        """Play one hand of two cards of these suits to its end."""
        cdef const int32_t* child = &self.child[0, 0]
        cdef int place = self.two[first, second], dealt, card, hard = first + second + 2
        cdef bint ace = first == 0 or second == 0
        hand.stake = 1
        hand.cards = 2
        hand.line = -1
        while choice[place] != STAND:
            dealt = next_card(shoe)
            card = CLASS[dealt]
            suits |= suit_of(dealt)
            hard += card + 1
            ace = ace or card == 0
            hand.cards += 1
            if choice[place] == DOUBLE:
                hand.stake = 2
                break
            if hard > 21:
                break
            place = child[10 * place + card]
        hand.total = points(hard, ace)
        if hand.stake == 1 and hard <= 21:
            hand.line = self.line_of(place, suits)

    @final
    cdef int play_dealt(
        self, Shoe* shoe, const Dealt* dealt, int k, bint splits, bint one_card, const int8_t* choice, Hand* hand
    ) noexcept nogil:
        """Play dealt hand ``k`` with its splits, one hand after the other; returns the number of hands.

        With ``one_card`` a hand of a split stands on its second card, whatever ``choice`` says.
        """
        cdef int hands = 0, waiting = 2, first = dealt.card[0][k], card, suit, hard
        cdef int suit_first = suit_of(dealt.type[0][k]), suit_second = suit_of(dealt.type[1][k])
        cdef int[MOST_HANDS] suits    # of the pair cards that wait, the next one last
        if not splits:
            self.play(shoe, first, dealt.card[1][k], suit_first | suit_second, choice, hand)
            return 1
        suits[0] = suit_second
        suits[1] = suit_first
        while waiting:
            card = next_card(shoe)
            suit = suit_of(card)
            card = CLASS[card]
            if card == first and hands + waiting < self.most_hands[first]:
                suits[waiting] = suits[waiting - 1]
                suits[waiting - 1] = suit
                waiting += 1
                continue
            if one_card:
                hard = first + card + 2
                hand[hands].total = points(hard, first == 0 or card == 0)
                hand[hands].stake = 1
                hand[hands].cards = 2
                hand[hands].line = -1
            else:
                self.play(shoe, first, card, suits[waiting - 1] | suit, choice, &hand[hands])
            hands += 1
            waiting -= 1
        return hands

    @final
    cdef inline int dealer(self, Shoe* shoe, const Dealt* dealt, bint draws, int* cards) noexcept nogil:
        """Draw the dealer's cards unless it has a blackjack; returns the total."""
        cdef int card, total, hard = dealt.upcard + dealt.hole + 2
        cdef bint ace = dealt.upcard == 0 or dealt.hole == 0
        cards[0] = 2
        total = points(hard, ace)
        while draws and not dealt.blackjack:
            if total > 17 or (total == 17 and not (self.hits_soft_17 and ace and hard <= 11)):
                break
            card = CLASS[next_card(shoe)]
            hard += card + 1
            ace = ace or card == 0
            cards[0] += 1
            total = points(hard, ace)
        return total

    @final
    cdef inline int result_of(self, const Hand* hand, int dealer, bint blackjack, int charlie) noexcept nogil:
        """Return 1 for a win, 0 for a push, -1 for a loss of a hand that is not a blackjack."""
        if hand.total > 21:
            return -1
        if hand.line >= 0:
            return -1 if blackjack else 1
        if charlie and hand.cards >= charlie:
            return -1 if blackjack and not self.charlie_blackjack else 1
        if blackjack:
            return -1
        if dealer > 21:
            return 0 if self.push_22 and dealer == 22 else 1
        if hand.total == dealer:
            return 1 if dealer >= self.ties_won else -1 if dealer <= self.ties_lost else 0
        return 1 if hand.total > dealer else -1


cdef struct Spot:
    int how               # first choice, or NATURAL, BOTH, DEALER
    int net               # twice the net result
    int number            # of hands played
    Hand[MOST_HANDS] hand


@final
cdef class Rounds(ShoeTable):
    """Rounds of blackjack: `combin.games.blackjack.dealt_rounds.BlackjackPlay`."""

    cdef const int8_t[:, :, ::1] first
    cdef const int8_t[:, ::1] choice
    cdef const int8_t[:, :, ::1] split_choice
    cdef const uint8_t[::1] early
    cdef const int64_t[::1] pays
    cdef int unit

    def __init__(self, play):
        cdef int i, n
        ShoeTable.__init__(self, play.table, MOST_HANDS)
        self.first, self.choice, self.split_choice = play.first, play.choice, play.split_choice
        self.early, self.pays, self.unit = play.early, play.pays, play.unit
        sized("first", self.first.shape, (10, 10, 10))
        sized("early", self.early.shape, (10,))
        sized("choice", self.choice.shape, (10, self.child.shape[0]))
        sized("split_choice", self.split_choice.shape, (10, 10, self.child.shape[0]))
        shaped(self.pays.shape[0] >= 1 and self.unit > 0, "pays (lines,)")
        for i in range(self.line.shape[0]):
            for n in range(5):
                shaped(-1 <= self.line[i, n] < self.pays.shape[0], "a line of each bonus")

    cdef void play_spot(self, Shoe* shoe, const Dealt* dealt, int k, Spot* spot) noexcept nogil:
        cdef int a = dealt.card[0][k], b = dealt.card[1][k], u = dealt.upcard
        cdef int how = self.first[u, a, b]
        cdef const int8_t* choice
        spot.number = spot.net = 0
        if is_natural(a, b):
            how = BOTH if dealt.blackjack else NATURAL
        elif how == SURRENDER and self.early[u]:
            spot.net = -1
        elif dealt.blackjack and self.looks:
            how = DEALER
            spot.net = -2
        elif how == SURRENDER:
            spot.net = -2 if dealt.blackjack else -1
        else:
            choice = &self.split_choice[u, a, 0] if how == SPLIT else &self.choice[u, 0]
            spot.number = self.play_dealt(shoe, dealt, k, how == SPLIT, False, choice, spot.hand)
        spot.how = how

    def deal(
        self, Py_ssize_t start, Py_ssize_t stop, int rounds, uint64_t seed, int64_t[:, ::1] seen,
        int64_t[:, :, ::1] each, int64_t[:, ::1] paid, int64_t[::1] splits, int32_t[:, ::1] ends,
        uint8_t[:, ::1] dealt, uint8_t[:, ::1] drawn,
    ):
        """Deal blocks ``[start, stop)`` of ``rounds`` rounds, each with its own random stream, and add to the counts.

        The spots of a round are played one after the other against one dealer.

        seen      (8, 65): spots by first choice (then natural, both, dealer's blackjack) and twice the net (bonus: 1)
        each      (8, 2, 3): hands of splits by their index in the order of play, stake, and lost, pushed or won
        paid      (9, lines): hands that a bonus pays, without a split and by their index in a split
        splits    (6,): spots with a split that won and pushed, and sums of the powers 1 to 4 of their nets × unit
        ends      (rounds, 1 to 9): the records of the rounds, the index of each spot in ``seen``
        dealt     (rounds, 2 spots + 2): likewise the first cards: one per spot, the upcard, one per spot, the hole card
        drawn     (rounds, spots + 2): likewise the dealer's cards and total, the total of each spot's first hand; the
                  dealer then draws in every round
        """
        sized("seen", seen.shape, (8, NETS))
        sized("each", each.shape, (MOST_HANDS, 2, 3))
        sized("paid", paid.shape, (MOST_HANDS + 1, self.pays.shape[0]))
        sized("splits", splits.shape, (6,))
        sized("drawn", drawn.shape, (None, ends.shape[1] + 2))
        cdef Py_ssize_t block, row
        cdef Shoe shoe
        cdef Dealt first
        cdef Spot[MOST_SPOTS] spot
        cdef Spot* at
        cdef Hand* hand
        cdef Records records
        cdef int64_t won, power
        cdef int i, k, total, cards, result, charlie
        cdef bint split, live, out = drawn.shape[0] >= stop * rounds
        open_records(&records, ends, dealt, MOST_SPOTS, 2, 2, stop * rounds)
        if records.spots > 1:
            self.hold(records.spots)
        with nogil:
            for block in range(start, stop):
                open_block(&shoe, &self.cards[0], <int> self.cards.shape[0], seed, block)
                for row in range(block * rounds, (block + 1) * rounds):
                    deal_first(&shoe, records.spots, &first)
                    keep_cards(&records, row, &shoe)
                    live = out
                    for k in range(records.spots):
                        self.play_spot(&shoe, &first, k, &spot[k])
                        live = live or spot[k].number > 0
                    total = self.dealer(&shoe, &first, live, &cards)
                    if out:
                        drawn[row, 0] = <uint8_t> cards
                        drawn[row, 1] = <uint8_t> total
                        for k in range(records.spots):
                            drawn[row, 2 + k] = <uint8_t> first_total(&first, k, &spot[k])
                    for k in range(records.spots):
                        at = &spot[k]
                        split = at.how == SPLIT
                        charlie = self.charlie_split if split else self.charlie
                        won = 0
                        for i in range(at.number):
                            hand = &at.hand[i]
                            result = self.result_of(hand, total, first.blackjack, charlie)
                            at.net += 2 * result * hand.stake
                            if hand.line >= 0 and result > 0:
                                paid[i + 1 if split else 0, hand.line] += 1
                                won += self.pays[hand.line]
                            else:
                                won += self.unit * result * hand.stake
                            if split:
                                each[i, hand.stake - 1, result + 1] += 1
                        if split:
                            splits[0] += won > 0
                            splits[1] += won == 0
                            power = 1
                            for i in range(2, 6):
                                power *= won
                                splits[i] += power
                        seen[at.how, NETS // 2 + at.net] += 1
                        keep_end(&records, row, k, NETS * at.how + NETS // 2 + at.net)


cdef inline int first_total(const Dealt* dealt, int k, const Spot* spot) noexcept nogil:
    """Return the total of a spot's first hand."""
    cdef int a = dealt.card[0][k], b = dealt.card[1][k]
    return spot.hand[0].total if spot.number else points(a + b + 2, a == 0 or b == 0)


cdef struct SwitchHand:
    bint natural
    int surrendered       # 2 early, 3 late
    int number            # of hands played
    Hand[SWITCH_HANDS] hand


@final
cdef class SwitchRounds(ShoeTable):
    """Rounds of Blackjack Switch: `combin.games.blackjack_switch.dealt_rounds.SwitchPlay`."""

    cdef const uint8_t[:, :, :, :, ::1] switch
    cdef const uint8_t[:, :, ::1] splits
    cdef const int8_t[:, :, ::1] choice
    cdef const int32_t[:, ::1] pairs
    cdef bint aces_take_one, blackjack_beats_22, switched_counts, early
    cdef int blackjack_pays

    def __init__(self, play):
        ShoeTable.__init__(self, play.table, SWITCH_HANDS)
        self.switch, self.splits, self.choice, self.pairs = play.switch, play.splits, play.choice, play.pairs
        self.aces_take_one, self.blackjack_beats_22 = play.aces_take_one, play.blackjack_beats_22
        self.switched_counts, self.early, self.blackjack_pays = play.switched_counts, play.early, play.blackjack_pays
        sized("switch", self.switch.shape, (10, 10, 10, 10, 10))
        sized("splits", self.splits.shape, (10, 55, 55))
        sized("choice", self.choice.shape, (10, 55, self.child.shape[0]))
        sized("pairs", self.pairs.shape, (10, 10))

    cdef bint exchange(self, Dealt* dealt, int k) noexcept nogil:
        """Exchange the second cards of hand ``k`` and the next one if the play says so; returns whether it does."""
        cdef int* first = dealt.card[0]
        cdef int* second = dealt.card[1]
        if (dealt.blackjack and not self.early) or not self.switch[
            dealt.upcard, first[k], second[k], first[k + 1], second[k + 1]
        ]:
            return False
        second[k], second[k + 1] = second[k + 1], second[k]
        return True

    cdef void play_hand(self, Shoe* shoe, const Dealt* dealt, int k, bint switched, SwitchHand* hand) noexcept nogil:
        cdef int j = k ^ 1, u = dealt.upcard    # the spot's other hand
        cdef int first = dealt.card[0][k], second = dealt.card[1][k]
        cdef int place = self.pairs[first, second], other = self.pairs[dealt.card[0][j], dealt.card[1][j]]
        cdef int split = self.splits[u, other, place]
        hand.natural = is_natural(first, second) and (self.switched_counts or not switched)
        hand.surrendered = 0 if hand.natural or split < 2 else split
        hand.number = 0
        if not (hand.natural or hand.surrendered or (dealt.blackjack and self.looks)):
            hand.number = self.play_dealt(
                shoe, dealt, k, split, self.aces_take_one and first == 0, &self.choice[u, other, 0], hand.hand)

    cdef int settled(self, const SwitchHand* hand, int dealer, bint blackjack) noexcept nogil:
        """Return ten times the net result of a hand that is not played."""
        if hand.surrendered:
            return -10 if blackjack and hand.surrendered == 3 else -5
        if blackjack:
            return -10 if self.looks and not hand.natural else 0
        if not hand.natural:
            return 0
        if dealer == 21:
            return 10
        return self.blackjack_pays if dealer != 22 or self.blackjack_beats_22 else 0

    def deal(
        self, Py_ssize_t start, Py_ssize_t stop, int rounds, uint64_t seed, int64_t[:, ::1] seen,
        int64_t[:, :, :, ::1] each, int32_t[:, ::1] ends, uint8_t[:, ::1] dealt,
    ):
        """Deal rounds of Blackjack Switch, as `Rounds` deals those of blackjack.

        seen      (2, 321): rounds with cards kept and switched by ten times the net result + 160
        each      (2, 4, 2, 3): hands that are played, by dealt hand, index in the order of play, stake, and lost,
                  pushed or won
        ends      (rounds, 1 to 9): the records of the rounds, the index of each spot in ``seen``
        dealt     (rounds, 4 spots + 2): likewise the first cards: two per spot, the upcard, two per spot, the hole card
        """
        sized("seen", seen.shape, (2, SWITCH_NETS))
        sized("each", each.shape, (2, SWITCH_HANDS, 2, 3))
        cdef Py_ssize_t block, row
        cdef Shoe shoe
        cdef Dealt first
        cdef SwitchHand[2 * MOST_SPOTS] hand
        cdef bint[MOST_SPOTS] switched
        cdef Hand* one
        cdef Records records
        cdef int spot, k, j, net, total, cards, result
        open_records(&records, ends, dealt, MOST_SPOTS, 4, 2, stop * rounds)
        if records.spots > 1:
            self.hold(2 * records.spots)
        with nogil:
            for block in range(start, stop):
                open_block(&shoe, &self.cards[0], <int> self.cards.shape[0], seed, block)
                for row in range(block * rounds, (block + 1) * rounds):
                    deal_first(&shoe, 2 * records.spots, &first)
                    keep_cards(&records, row, &shoe)
                    for spot in range(records.spots):
                        switched[spot] = self.exchange(&first, 2 * spot)
                    for k in range(2 * records.spots):
                        self.play_hand(&shoe, &first, k, switched[k // 2], &hand[k])
                    total = self.dealer(&shoe, &first, True, &cards)
                    for spot in range(records.spots):
                        net = 0
                        for k in range(2 * spot, 2 * spot + 2):
                            net += self.settled(&hand[k], total, first.blackjack)
                            for j in range(hand[k].number):
                                one = &hand[k].hand[j]
                                result = self.result_of(one, total, first.blackjack, 0)
                                net += 10 * result * one.stake
                                each[k & 1, j, one.stake - 1, result + 1] += 1
                        seen[switched[spot], SWITCH_NETS // 2 + net] += 1
                        keep_end(&records, row, spot, SWITCH_NETS * switched[spot] + SWITCH_NETS // 2 + net)
