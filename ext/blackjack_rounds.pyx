"""Rounds of blackjack, dealt from a shuffled shoe card by card and played by a table of choices.

It uses no distribution of the dealer, no value and no formula for splits: hands hold cards, the dealer
draws by the house rule, every split hand is played in turn.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from doors cimport shaped
from random_stream cimport draw

cdef enum:
    MOST_CARDS = 416
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


cdef struct Shoe:
    uint64_t state
    int size
    int at
    int8_t[MOST_CARDS] card


cdef int8_t[52] CLASS    # of a card 0..51: the ace 0, ten-valued cards 9


cdef void fill_tables() noexcept nogil:
    cdef int card
    for card in range(52):
        CLASS[card] = <int8_t> (0 if card % 13 == 12 else min(card % 13 + 1, 9))


fill_tables()


cdef int hold(const uint8_t[::1] cards, int spots, int hands) except -1:
    """Raise ValueError for more cards than a shoe holds, or for spots that could need more cards than it has.

    A spot may become up to ``hands`` hands.
    """
    cdef int i, total = 0
    if cards.shape[0] > MOST_CARDS:
        raise ValueError("a shoe has at most 416 cards")
    for i in range(cards.shape[0]):
        if cards[i] > 51:
            raise ValueError("cards are 0 to 51")
        total += CLASS[cards[i]] + 1
    # A caller deals a single spot only from shoes that suffice for any round of one spot.
    if spots > 1 and total < HAND_POINTS * hands * spots + DEALER_POINTS:
        raise ValueError("fewer cards than the spots may need")
    return 0


cdef void open_shoe(Shoe* shoe, const uint8_t[::1] cards, uint64_t seed, Py_ssize_t block) noexcept nogil:
    """All cards in order, and the random stream of a block of rounds."""
    cdef int i
    shoe.state = seed
    shoe.state = draw(&shoe.state) ^ <uint64_t> block
    shoe.state = draw(&shoe.state)
    shoe.size = <int> cards.shape[0]
    for i in range(shoe.size):
        shoe.card[i] = <int8_t> cards[i]


cdef inline int next_card(Shoe* shoe) noexcept nogil:
    """Draw a random card of those left and return its class: 32 random bits choose one of at most 416."""
    cdef int j = shoe.at + <int> (((draw(&shoe.state) >> 32) * <uint64_t> (shoe.size - shoe.at)) >> 32)
    cdef int8_t card = shoe.card[j]
    shoe.card[j] = shoe.card[shoe.at]
    shoe.card[shoe.at] = card
    shoe.at += 1
    return CLASS[card]


cdef inline int points(int hard, bint ace) noexcept nogil:
    return hard + 10 if ace and hard <= 11 else hard


cdef struct Hand:
    int total
    int stake
    int cards
    int line              # of a bonus that pays it; -1: none


cdef struct Bonuses:
    const int8_t* bonus   # of each hand, -1: none
    const int8_t* line    # of each bonus and suit, and for different suits; -1: a plain 21


cdef inline int suit_dealt(const Shoe* shoe) noexcept nogil:
    """Return the suit of the last card, as a bit."""
    return 1 << (shoe.card[shoe.at - 1] // 13)


cdef inline int line_of(const Bonuses* bonuses, int place, int suits) noexcept nogil:
    """Return the line that pays a final hand with cards of these suits."""
    cdef int bonus = bonuses.bonus[place] if bonuses.bonus != NULL else -1
    cdef int kind = 0 if suits == 1 else 1 if suits == 2 else 2 if suits == 4 else 3 if suits == 8 else 4
    return bonuses.line[5 * bonus + kind] if bonus >= 0 else -1


cdef Hand play(
    Shoe* shoe, int first, int second, int suits, const int8_t* choice, const int32_t[:, ::1] two,
    const int32_t[:, ::1] child, int charlie, const Bonuses* bonuses,
) noexcept nogil:
    """Play one hand of two cards of these suits to its end."""
    cdef int place = two[first, second], card, hard = first + second + 2
    cdef bint ace = first == 0 or second == 0
    cdef Hand hand
    hand.stake = 1
    hand.cards = 2
    hand.line = -1
    while choice[place] != STAND:
        if charlie and hand.cards >= charlie:
            break
        card = next_card(shoe)
        suits |= suit_dealt(shoe)
        hard += card + 1
        ace = ace or card == 0
        hand.cards += 1
        if choice[place] == DOUBLE:
            hand.stake = 2
            break
        if hard > 21:
            break
        place = child[place, card]
    hand.total = points(hard, ace)
    if hand.stake == 1 and hard <= 21:
        hand.line = line_of(bonuses, place, suits)
    return hand


cdef int play_dealt(
    Shoe* shoe, Hand* hand, int first, int second, int suit, int suit_too, bint splits, int most, bint one_card,
    const int8_t* choice, const int32_t[:, ::1] two, const int32_t[:, ::1] child, int charlie, const Bonuses* bonuses,
) noexcept nogil:
    """Play a dealt hand with its splits, one hand after the other; returns the number of hands.

    With ``one_card`` a hand of a split stands on its second card, whatever ``choice`` says.
    """
    cdef int hands = 0, waiting = 2, card, hard
    cdef int[MOST_HANDS] suits    # of the pair cards that wait, the next one last
    if not splits:
        hand[0] = play(shoe, first, second, suit | suit_too, choice, two, child, charlie, bonuses)
        return 1
    suits[0] = suit_too
    suits[1] = suit
    while waiting:
        card = next_card(shoe)
        if card == first and hands + waiting < most:
            suits[waiting] = suits[waiting - 1]
            suits[waiting - 1] = suit_dealt(shoe)
            waiting += 1
            continue
        if one_card:
            hard = first + card + 2
            hand[hands].total = points(hard, first == 0 or card == 0)
            hand[hands].stake = 1
            hand[hands].cards = 2
            hand[hands].line = -1
        else:
            hand[hands] = play(
                shoe, first, card, suits[waiting - 1] | suit_dealt(shoe), choice, two, child, charlie, bonuses)
        hands += 1
        waiting -= 1
    return hands


cdef inline int result_of(
    const Hand* hand, int dealer, bint blackjack, int charlie, bint charlie_blackjack, bint push_22, int ties_lost,
    int ties_won,
) noexcept nogil:
    """Return 1 for a win, 0 for a push, -1 for a loss of a hand that is not a blackjack."""
    if hand.total > 21:
        return -1
    if hand.line >= 0:
        return -1 if blackjack else 1
    if charlie and hand.cards >= charlie:
        return -1 if blackjack and not charlie_blackjack else 1
    if blackjack:
        return -1
    if dealer > 21:
        return 0 if push_22 and dealer == 22 else 1
    if hand.total == dealer:
        return 1 if dealer >= ties_won else -1 if dealer <= ties_lost else 0
    return 1 if hand.total > dealer else -1


def simulate(
    Py_ssize_t start,
    Py_ssize_t stop,
    int rounds,
    uint64_t seed,
    const uint8_t[::1] cards,
    const int8_t[:, :, ::1] first,
    const int8_t[:, ::1] choice,
    const int8_t[:, :, ::1] split_choice,
    const int32_t[:, ::1] two,
    const int32_t[:, ::1] child,
    const int32_t[::1] most_hands,
    const uint8_t[::1] early,
    bint hits_soft_17,
    bint looks,
    int charlie,
    int charlie_split,
    bint charlie_blackjack,
    bint push_22,
    int ties_lost,
    int ties_won,
    const int8_t[::1] bonus,
    const int8_t[:, ::1] line,
    const int64_t[::1] pays,
    int unit,
    int64_t[:, ::1] seen,
    int64_t[:, :, ::1] each,
    int64_t[:, ::1] paid,
    int64_t[::1] splits,
    int32_t[:, ::1] ends,
    uint8_t[:, ::1] dealt,
    uint8_t[:, ::1] drawn,
):
    """Deal blocks ``[start, stop)`` of ``rounds`` rounds, each with its own random stream, and add to ``seen``.

    The spots of a round are played one after the other against one dealer.

    cards         the shoe's cards 0..51, by class from the ace
    first         (10, 10, 10): first choice by upcard and two cards
    choice        (10, hands): the play of unsplit hands, split_choice (10, 10, hands) by upcard and pair
    two, child    indices of two-card hands, and of a hand with one more card
    early         (10,): 1 if a surrender is settled before a dealer's blackjack counts
    charlie       number of cards with which a hand wins, charlie_split with which a hand of a split does; 0: none
    ties_lost     greatest total at which a tie loses
    ties_won      least total at which a tie of hands other than blackjacks wins
    bonus         (hands,): the bonus of a hand, -1: none
    line          (bonuses, 5): the line that pays it by suit, and for different suits; -1: a plain 21
    pays          (lines,): the odds of each line times ``unit``
    seen          (8, 65): spots by first choice (then natural, both, dealer's blackjack) and twice the net (bonus: 1)
    each          (8, 2, 3): hands of splits by their index in the order of play, stake, and lost, pushed or won
    paid          (9, lines): hands that a bonus pays, without a split and by their index in a split
    splits        (6,): spots with a split that won and pushed, and the sums of the powers 1 to 4 of their nets × unit
    ends          (rounds, 1 to 9): the index of each spot in ``seen``, written if all rounds have a row
    dealt         (rounds, 2 spots + 2): likewise the first cards: one per spot, the upcard, one per spot, the hole card
    drawn         (rounds, spots + 2): likewise the dealer's cards and total, the total of each spot's first hand; the
                  dealer then draws in every round
    """
    shaped(most_hands.shape[0] == 10 and early.shape[0] == 10, "ten classes of cards: most_hands and early (10,)")
    shaped(1 <= ends.shape[1] <= MOST_SPOTS and ends.shape[0] >= 1 and dealt.shape[0] == ends.shape[0]
           and dealt.shape[1] == 2 * ends.shape[1] + 2, "ends (rounds, 1 to 9) and dealt (rounds, 2 spots + 2)")
    shaped(drawn.shape[1] == ends.shape[1] + 2, "drawn (rounds, spots + 2)")
    shaped(first.shape[0] == 10 and first.shape[1] == 10 and first.shape[2] == 10 and two.shape[0] == 10
           and two.shape[1] == 10 and child.shape[1] == 10, "first (10, 10, 10), two (10, 10), child (hands, 10)")
    shaped(choice.shape[0] == 10 and choice.shape[1] == child.shape[0] and split_choice.shape[0] == 10
           and split_choice.shape[1] == 10 and split_choice.shape[2] == child.shape[0],
           "choice (10, hands) and split_choice (10, 10, hands)")
    shaped(bonus.shape[0] == child.shape[0] and line.shape[0] >= 1 and line.shape[1] == 5 and pays.shape[0] >= 1
           and paid.shape[0] == MOST_HANDS + 1 and paid.shape[1] == pays.shape[0] and splits.shape[0] == 6 and unit > 0,
           "bonus (hands,), line (bonuses, 5), pays (lines,), paid (9, lines), splits (6,)")
    shaped(seen.shape[0] == 8 and seen.shape[1] == NETS, "seen (8, 65)")
    shaped(each.shape[0] == MOST_HANDS and each.shape[1] == 2 and each.shape[2] == 3, "each (8, 2, 3)")
    cdef Py_ssize_t block
    cdef Shoe shoe
    cdef Hand[MOST_SPOTS * MOST_HANDS] hand
    cdef int[2][MOST_SPOTS] card
    cdef int[2][MOST_SPOTS] suit
    cdef Bonuses bonuses
    cdef int64_t won, power
    cdef int[MOST_SPOTS] how
    cdef int[MOST_SPOTS] net
    cdef int[MOST_SPOTS] number
    cdef int n, i, spot, a, b, u, hole, card_drawn, hard, dealer, held, result, most = 1
    cdef int spots = ends.shape[1], first_cards = dealt.shape[1]
    cdef Hand* one
    cdef bint ace, blackjack, live, kept = ends.shape[0] >= stop * rounds, out = drawn.shape[0] >= stop * rounds
    for i in range(bonus.shape[0]):
        shaped(-1 <= bonus[i] < line.shape[0], "a bonus of each hand")
    for i in range(line.shape[0]):
        for n in range(5):
            shaped(-1 <= line[i, n] < pays.shape[0], "a line of each bonus")
    for i in range(10):
        most = max(most, most_hands[i])
    if most > MOST_HANDS:
        raise ValueError("a hand is split into at most eight")
    hold(cards, spots, most)
    bonuses.bonus = &bonus[0]
    bonuses.line = &line[0, 0]
    with nogil:
        for block in range(start, stop):
            open_shoe(&shoe, cards, seed, block)
            for n in range(rounds):
                shoe.at = 0
                for spot in range(spots):
                    card[0][spot] = next_card(&shoe)
                    suit[0][spot] = suit_dealt(&shoe)
                u = next_card(&shoe)
                for spot in range(spots):
                    card[1][spot] = next_card(&shoe)
                    suit[1][spot] = suit_dealt(&shoe)
                hole = next_card(&shoe)
                if kept:
                    for i in range(first_cards):
                        dealt[block * rounds + n, i] = <uint8_t> shoe.card[i]
                blackjack = (u == 0 and hole == 9) or (u == 9 and hole == 0)
                live = out
                for spot in range(spots):
                    a, b = card[0][spot], card[1][spot]
                    how[spot] = first[u, a, b]
                    number[spot] = 0
                    if (a == 0 and b == 9) or (a == 9 and b == 0):
                        how[spot] = BOTH if blackjack else NATURAL
                        net[spot] = 0
                    elif how[spot] == SURRENDER and early[u]:
                        net[spot] = -1
                    elif blackjack and looks:
                        how[spot] = DEALER
                        net[spot] = -2
                    elif how[spot] == SURRENDER:
                        net[spot] = -2 if blackjack else -1
                    else:
                        live = True
                        net[spot] = 0
                        number[spot] = play_dealt(
                            &shoe, &hand[spot * MOST_HANDS], a, b, suit[0][spot], suit[1][spot], how[spot] == SPLIT,
                            most_hands[a], False,
                            &split_choice[u, a, 0] if how[spot] == SPLIT else &choice[u, 0], two, child,
                            charlie_split if how[spot] == SPLIT else charlie, &bonuses,
                        )
                hard = u + hole + 2
                ace = u == 0 or hole == 0
                held = 2
                while live and not blackjack:
                    dealer = points(hard, ace)
                    if dealer > 17 or (dealer == 17 and not (hits_soft_17 and ace and hard <= 11)):
                        break
                    card_drawn = next_card(&shoe)
                    hard += card_drawn + 1
                    ace = ace or card_drawn == 0
                    held += 1
                dealer = points(hard, ace)
                if out:
                    drawn[block * rounds + n, 0] = <uint8_t> held
                    drawn[block * rounds + n, 1] = <uint8_t> dealer
                    for spot in range(spots):
                        a, b = card[0][spot], card[1][spot]
                        drawn[block * rounds + n, 2 + spot] = <uint8_t> (
                            hand[spot * MOST_HANDS].total if number[spot] else points(a + b + 2, a == 0 or b == 0))
                for spot in range(spots):
                    won = 0
                    for i in range(number[spot]):
                        one = &hand[spot * MOST_HANDS + i]
                        result = result_of(
                            one, dealer, blackjack, charlie_split if how[spot] == SPLIT else charlie,
                            charlie_blackjack, push_22, ties_lost, ties_won,
                        )
                        net[spot] += 2 * result * one.stake
                        if one.line >= 0 and result > 0:
                            paid[i + 1 if how[spot] == SPLIT else 0, one.line] += 1
                            won += pays[one.line]
                        else:
                            won += unit * result * one.stake
                        if how[spot] == SPLIT:
                            each[i, one.stake - 1, result + 1] += 1
                    if how[spot] == SPLIT:
                        splits[0] += won > 0
                        splits[1] += won == 0
                        power = 1
                        for i in range(2, 6):
                            power *= won
                            splits[i] += power
                    seen[how[spot], NETS // 2 + net[spot]] += 1
                    if kept:
                        ends[block * rounds + n, spot] = NETS * how[spot] + NETS // 2 + net[spot]


def simulate_switch(
    Py_ssize_t start,
    Py_ssize_t stop,
    int rounds,
    uint64_t seed,
    const uint8_t[::1] cards,
    const uint8_t[:, :, :, :, ::1] switch,
    const uint8_t[:, :, ::1] splits,
    const int8_t[:, :, ::1] choice,
    const int32_t[:, ::1] pairs,
    const int32_t[:, ::1] two,
    const int32_t[:, ::1] child,
    const int32_t[::1] most_hands,
    bint hits_soft_17,
    bint aces_take_one,
    int blackjack_pays,
    bint blackjack_beats_22,
    bint switched_counts,
    bint early,
    bint looks,
    int64_t[:, ::1] seen,
    int64_t[:, :, :, ::1] each,
    int32_t[:, ::1] ends,
    uint8_t[:, ::1] dealt,
):
    """Rounds of Blackjack Switch, as `simulate` deals those of blackjack.

    switch        (10, 10, 10, 10, 10): 1 for a switch, by upcard and four cards
    splits        (10, 55, 55): 1 if a hand is split, 2 surrendered early, 3 late, by upcard, other hand and hand
    choice        (10, 55, hands): the play, by upcard and other hand
    pairs         (10, 10): the index of two classes among 55
    blackjack_pays  tenths of a wager against a dealer without 21
    early         cards are exchanged before the dealer looks
    looks         hands are not played against a dealer's blackjack, or lose no more than their wagers
    seen          (2, 321): rounds with cards kept and switched by ten times the net result + 160
    each          (2, 4, 2, 3): hands that are played, by dealt hand, index in the order of play, stake, and lost,
                  pushed or won
    ends          (rounds, 1 to 9): the index of each spot in ``seen``, written if all rounds have a row
    dealt         (rounds, 4 spots + 2): likewise the first cards: two per spot, the upcard, two per spot, the hole card
    """
    shaped(most_hands.shape[0] == 10, "ten classes of cards: most_hands (10,)")
    shaped(switch.shape[0] == 10 and switch.shape[1] == 10 and switch.shape[2] == 10 and switch.shape[3] == 10
           and switch.shape[4] == 10, "switch (10, 10, 10, 10, 10)")
    shaped(splits.shape[0] == 10 and splits.shape[1] == 55 and splits.shape[2] == 55 and choice.shape[0] == 10
           and choice.shape[1] == 55 and choice.shape[2] == child.shape[0],
           "splits (10, 55, 55) and choice (10, 55, hands)")
    shaped(pairs.shape[0] == 10 and pairs.shape[1] == 10 and two.shape[0] == 10 and two.shape[1] == 10
           and child.shape[1] == 10, "pairs and two (10, 10), child (hands, 10)")
    shaped(seen.shape[0] == 2 and seen.shape[1] == 321, "seen (2, 321)")
    shaped(each.shape[0] == 2 and each.shape[1] == SWITCH_HANDS and each.shape[2] == 2 and each.shape[3] == 3,
           "each (2, 4, 2, 3)")
    shaped(1 <= ends.shape[1] <= MOST_SPOTS and ends.shape[0] >= 1 and dealt.shape[0] == ends.shape[0]
           and dealt.shape[1] == 4 * ends.shape[1] + 2, "ends (rounds, 1 to 9) and dealt (rounds, 4 spots + 2)")
    cdef Py_ssize_t block
    cdef Shoe shoe
    cdef Hand[2 * MOST_SPOTS * SWITCH_HANDS] hand
    cdef int[2][2 * MOST_SPOTS] card    # of hands: two per spot, the first and the second card
    cdef int[2 * MOST_SPOTS] number
    cdef bint[2 * MOST_SPOTS] natural
    cdef int[2 * MOST_SPOTS] surrendered
    cdef bint[MOST_SPOTS] switched
    cdef int spots = ends.shape[1], hands = 2 * spots, first_cards = dealt.shape[1]
    cdef int n, i, j, k, spot, u, hole, hard, net, dealer, place, other, drawn, result
    cdef Hand* one
    cdef bint ace, blackjack, kept = ends.shape[0] >= stop * rounds
    cdef Bonuses bonuses
    bonuses.bonus = NULL
    bonuses.line = NULL
    hold(cards, hands if spots > 1 else 1, SWITCH_HANDS)
    with nogil:
        for block in range(start, stop):
            open_shoe(&shoe, cards, seed, block)
            for n in range(rounds):
                shoe.at = 0
                for k in range(hands):
                    card[0][k] = next_card(&shoe)
                u = next_card(&shoe)
                for k in range(hands):
                    card[1][k] = next_card(&shoe)
                hole = next_card(&shoe)
                if kept:
                    for i in range(first_cards):
                        dealt[block * rounds + n, i] = <uint8_t> shoe.card[i]
                blackjack = (u == 0 and hole == 9) or (u == 9 and hole == 0)
                for spot in range(spots):
                    k = 2 * spot
                    switched[spot] = switch[u, card[0][k], card[1][k], card[0][k + 1], card[1][k + 1]] != 0
                    if blackjack and not early:
                        switched[spot] = False
                    if switched[spot]:
                        card[1][k], card[1][k + 1] = card[1][k + 1], card[1][k]
                for k in range(hands):
                    natural[k] = card[0][k] + card[1][k] == 9 and (card[0][k] == 0 or card[1][k] == 0)
                    if switched[k // 2] and not switched_counts:
                        natural[k] = False
                    number[k] = 0
                    j = k ^ 1    # the spot's other hand
                    place = pairs[card[0][k], card[1][k]]
                    other = pairs[card[0][j], card[1][j]]
                    surrendered[k] = 0 if natural[k] or splits[u, other, place] < 2 else splits[u, other, place]
                    if not (natural[k] or surrendered[k] or (blackjack and looks)):
                        number[k] = play_dealt(
                            &shoe, &hand[k * SWITCH_HANDS], card[0][k], card[1][k], 0, 0, splits[u, other, place],
                            most_hands[card[0][k]], aces_take_one and card[0][k] == 0, &choice[u, other, 0], two, child,
                            0, &bonuses,
                        )
                hard = u + hole + 2
                ace = u == 0 or hole == 0
                while not blackjack:
                    dealer = points(hard, ace)
                    if dealer > 17 or (dealer == 17 and not (hits_soft_17 and ace and hard <= 11)):
                        break
                    drawn = next_card(&shoe)
                    hard += drawn + 1
                    ace = ace or drawn == 0
                dealer = points(hard, ace)
                for spot in range(spots):
                    net = 0
                    for i in range(2):
                        k = 2 * spot + i
                        if surrendered[k]:
                            net -= 10 if blackjack and surrendered[k] == 3 else 5
                        elif blackjack:
                            if looks and not natural[k]:
                                net -= 10
                        elif natural[k]:
                            if dealer == 21:
                                net += 10
                            elif dealer != 22 or blackjack_beats_22:
                                net += blackjack_pays
                        for j in range(number[k]):
                            one = &hand[k * SWITCH_HANDS + j]
                            result = result_of(one, dealer, blackjack, 0, True, True, 0, DEALER_POINTS)
                            net += 10 * result * one.stake
                            each[i, j, one.stake - 1, result + 1] += 1
                    seen[switched[spot], SWITCH_NETS // 2 + net] += 1
                    if kept:
                        ends[block * rounds + n, spot] = SWITCH_NETS * switched[spot] + SWITCH_NETS // 2 + net
