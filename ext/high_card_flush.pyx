"""High Card Flush: every class of player hands against every dealer hand, counted without a loop over dealers.

A suit of a hand is a mask of 13 bits, so two flushes of one length compare as
integers, top card first. A player hand is four masks in descending order of
(length, mask); the first one is the player's flush, V, of length L.

A dealer hand has every suit below V exactly if each suit shows fewer than L
cards, or L cards that make a smaller mask. The hands of seven cards that do are
the coefficient of x^7 in the product over the suits of

    C(r, 0) + C(r, 1) x + ... + C(r, L - 1) x^(L - 1) + c x^L,

where r cards of the suit are left and c of their L-subsets lie below V. All but
c depends on the four suit lengths alone, so for each of the 11 patterns of
lengths the count is a fixed multilinear form in the four numbers c (16
coefficients). The same form with c + 1 in each suit that still holds all of V's
ranks counts "below or equal"; the same with L = 3 and c = C(cards left below the
nine, 3) counts the dealers who do not qualify.

Where the time goes. There are 6,009,159 classes. The form is folded suit by
suit, so that a class costs three multiplications for its three counts; the rest
is the utility of each choice (six products) and six additions into a histogram
that stays in the first-level cache, because V is the outermost loop. That is
some 10 ns a class, and tables of c per V (378 masks each) are about a tenth of
the whole. The floor with every class visited is the histogram, some 3 ns a
class; grouping masks of equal c would go below it, and would lose the classes.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint64_t

cdef enum:
    FLUSHES = 5798        # masks of two to seven cards
    OTHERS = 378          # masks of no more than three cards: all that a suit beside the flush can be
    PATTERNS = 11
    LOW = 127             # the ranks below the nine
    NINE_HIGH = 131       # 9-3-2, the least flush of three that qualifies
    MOST_CHOICES = 8

# Suit lengths of seven cards, descending; grouped by the longest.
cdef int[11][4] PATTERN = [
    [2, 2, 2, 1],
    [3, 2, 1, 1], [3, 2, 2, 0], [3, 3, 1, 0],
    [4, 1, 1, 1], [4, 2, 1, 0], [4, 3, 0, 0],
    [5, 1, 1, 0], [5, 2, 0, 0],
    [6, 1, 0, 0],
    [7, 0, 0, 0],
]
cdef int[9] FIRST_PATTERN = [0, 0, 0, 1, 4, 7, 9, 10, 11]  # by the longest length

cdef int64_t[53][8] CHOOSE
cdef int[8192] SIZE
cdef int[FLUSHES] FLUSH
cdef int[OTHERS] OTHER
cdef int[5] FIRST_OTHER
cdef int64_t[PATTERNS][16] FORM      # count below the flush: coefficient of each subset of the four c
cdef int64_t[PATTERNS][16] LOW_FORM  # the same for "does not qualify"

# 45,379,620 = C(45, 7) dealer hands
cdef int64_t DEALERS


cdef struct Suit:
    int64_t below      # L-subsets of the cards left that lie below V
    int64_t upto       # the same, below V or equal to it
    int64_t low        # 3-subsets of the cards left below the nine
    int64_t extra_below, extra_upto, extra  # dealers eight high in four or more cards of this suit
    int mask
    int mark


cdef struct Forms:
    # What is left of the three forms once some suits are folded in (16 coefficients,
    # then 8, 4, 2 and the count itself), and what is summed beside them.
    int64_t[16] below
    int64_t[16] upto
    int64_t[16] low
    int64_t extra_below, extra_upto, extra
    int ranks          # common to the suits folded in
    int mark


cdef int count_bits(int mask) noexcept nogil:
    cdef int n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


cdef void fill_form(int pattern, int length, int64_t* form) noexcept nogil:
    """The 16 coefficients: bit s of the index is set where suit s contributes its c x^length."""
    cdef int subset, suit, degree, j, k
    cdef int64_t[8] product
    cdef int64_t[8] longer
    for subset in range(16):
        degree = 7 - length * count_bits(subset)
        form[subset] = 0
        if degree < 0:
            continue
        for j in range(8):
            product[j] = j == 0
        for suit in range(4):
            if (subset >> suit) & 1:
                continue
            for j in range(8):
                longer[j] = 0
            for j in range(8):
                for k in range(min(length, 8 - j)):
                    longer[j + k] += product[j] * CHOOSE[13 - PATTERN[pattern][suit]][k]
            product = longer
        form[subset] = product[degree]


cdef void fill_tables() noexcept nogil:
    cdef int n, k, mask, at
    for n in range(53):
        CHOOSE[n][0] = 1
        for k in range(1, 8):
            CHOOSE[n][k] = 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]
    for mask in range(8192):
        SIZE[mask] = count_bits(mask)
    at = 0
    for k in range(2, 8):
        for mask in range(8192):
            if SIZE[mask] == k:
                FLUSH[at] = mask
                at += 1
    at = 0
    for k in range(4):
        FIRST_OTHER[k] = at
        for mask in range(8192):
            if SIZE[mask] == k:
                OTHER[at] = mask
                at += 1
    FIRST_OTHER[4] = at
    for n in range(PATTERNS):
        fill_form(n, PATTERN[n][0], FORM[n])
        fill_form(n, 3, LOW_FORM[n])


fill_tables()
DEALERS = CHOOSE[45][7]


cdef inline int64_t subsets_below(int left, int flush, int length) noexcept nogil:
    """How many subsets of ``left`` of ``length`` cards make a smaller mask than ``flush`` (of as many cards)."""
    cdef int64_t count = 0
    cdef int bit = 4096, missing = length
    while missing:
        if flush & bit:
            count += CHOOSE[SIZE[left & (bit - 1)]][missing]
            if not (left & bit):
                break
            missing -= 1
        bit >>= 1
    return count


cdef void fill_suit(Suit* suit, int held, int flush, int length, bint long_qualifies) noexcept nogil:
    """What the suit of which the player holds ``held`` contributes to the dealer's counts against ``flush``."""
    cdef int left = 8191 ^ held, n
    cdef int64_t ways
    suit.mask = held
    suit.below = subsets_below(left, flush, length)
    suit.upto = suit.below + ((held & flush) == 0)
    suit.low = CHOOSE[SIZE[left & LOW]][3]
    suit.extra_below = suit.extra_upto = suit.extra = 0
    if long_qualifies:
        return
    # No two suits hold four cards of seven, so these hands are counted suit by suit.
    for n in range(4, 8):
        ways = CHOOSE[32 + SIZE[held]][7 - n]
        suit.extra += ways * CHOOSE[SIZE[left & LOW]][n]
        if n < length:
            suit.extra_below += ways * CHOOSE[SIZE[left & LOW]][n]
            suit.extra_upto += ways * CHOOSE[SIZE[left & LOW]][n]
        elif n == length:
            suit.extra_below += ways * subsets_below(left & LOW, flush, length)
            suit.extra_upto += ways * (subsets_below(left & LOW, flush, length) + ((flush & ~(left & LOW)) == 0))


cdef inline void fold(Forms* into, const Forms* forms, const Suit* suit, int terms) noexcept nogil:
    """Fold one more suit into the forms, of which ``terms`` coefficients remain."""
    cdef int j
    for j in range(terms):
        into.below[j] = forms.below[2 * j] + suit.below * forms.below[2 * j + 1]
        into.upto[j] = forms.upto[2 * j] + suit.upto * forms.upto[2 * j + 1]
        into.low[j] = forms.low[2 * j] + suit.low * forms.low[2 * j + 1]
    into.extra_below = forms.extra_below + suit.extra_below
    into.extra_upto = forms.extra_upto + suit.extra_upto
    into.extra = forms.extra + suit.extra
    into.ranks = forms.ranks & suit.mask
    into.mark = forms.mark + suit.mark


cdef inline void cells(const Forms* forms, bint reaches, int64_t* cell) noexcept nogil:
    """Dealers by [qualifies][player loses, ties, wins]; ``reaches``: the player's flush is 9-3-2 or better."""
    cdef int64_t below = forms.below[0], upto = forms.upto[0], low = forms.low[0]
    # All but those hands that do not qualify for their eight high lie below 9-3-2.
    cdef int64_t low_below = low + forms.extra_below if reaches else below
    cdef int64_t low_upto = low + forms.extra_upto if reaches else upto
    low += forms.extra
    cell[0] = low - low_upto
    cell[1] = low_upto - low_below
    cell[2] = low_below
    cell[3] = DEALERS - upto - cell[0]
    cell[4] = upto - below - cell[1]
    cell[5] = below - low_below


cdef struct Start:
    # A flush, and what every other suit beside it contributes.
    int flush, length, place    # place: among the masks of at most three cards
    bint reaches
    Suit own
    Suit[OTHERS] others


cdef struct Sink:
    # Where a class goes: into a histogram under its best choice, or into a list.
    int codes, choices, allowed, keys
    const int64_t* utility      # [choice][qualifies, result]
    const int64_t* bonus        # [choice][code], by the hand
    const int16_t* code         # [pattern][four of a kind][key]
    int64_t* histogram          # [code][choice][qualifies, result]
    int64_t* ties               # [code]
    int32_t* listed             # [class][four masks, weight]
    int64_t* listed_cells       # [class][qualifies, result]
    Py_ssize_t classes


cdef void begin(Start* start, int flush, bint long_qualifies) noexcept nogil:
    cdef int j
    start.flush, start.length, start.place = flush, SIZE[flush], -1
    start.reaches = start.length > 3 or (start.length == 3 and flush >= NINE_HIGH)
    fill_suit(&start.own, flush, flush, start.length, long_qualifies)
    for j in range(FIRST_OTHER[min(start.length, 3) + 1]):
        fill_suit(&start.others[j], OTHER[j], flush, start.length, long_qualifies)
        if OTHER[j] == flush:
            start.place = j


cdef inline void settle(
    const Forms* three, const Suit* suits, int first, int last, int weight, int same_weight,
    const int16_t* code, bint reaches, Sink* sink,
) noexcept nogil:
    """Every last suit from ``first`` to ``last``, the last of which has a weight of its own."""
    cdef Forms four
    cdef int64_t[6] cell
    cdef int64_t value, most
    cdef int j, k, choice, best, at
    cdef bint tie
    cdef int64_t w
    cdef int64_t* into
    for j in range(first, last + 1):
        fold(&four, three, &suits[j], 1)
        cells(&four, reaches, cell)
        w = same_weight if j == last else weight
        at = code[(sink.keys if four.ranks else 0) + four.mark]
        best, most, tie = 0, 0, False
        for choice in range(sink.allowed):
            value = sink.bonus[choice * sink.codes + at] * DEALERS
            for k in range(6):
                value += sink.utility[6 * choice + k] * cell[k]
            if choice == 0 or value > most:
                best, most, tie = choice, value, False
            elif value == most:
                tie = True
        into = sink.histogram + 6 * (at * sink.choices + best)
        for k in range(6):
            into[k] += w * cell[k]
        if tie:
            sink.ties[at] += w


cdef inline void enlist(
    const Forms* three, const Suit* suits, int first, int last, int weight, int same_weight,
    const int* masks, bint reaches, Sink* sink,
) noexcept nogil:
    cdef Forms four
    cdef int32_t* row
    cdef int j
    for j in range(first, last + 1):
        if sink.listed != NULL:
            fold(&four, three, &suits[j], 1)
            cells(&four, reaches, sink.listed_cells + 6 * sink.classes)
            row = sink.listed + 5 * sink.classes
            row[0], row[1], row[2], row[3] = masks[0], masks[1], masks[2], suits[j].mask
            row[4] = same_weight if j == last else weight
        sink.classes += 1


cdef void walk(const Start* start, Sink* sink) noexcept nogil:
    """Every class of hands whose flush is that of ``start``, once."""
    cdef Forms whole, one, two, three
    cdef int[3] masks
    cdef int pattern, i, j, k, last_i, last_j, last_k, weight_one, run_one, weight, run, same_weight
    cdef const int* size
    masks[0] = start.flush
    whole.extra_below = whole.extra_upto = whole.extra = 0
    whole.ranks, whole.mark = 8191, 0
    for pattern in range(FIRST_PATTERN[start.length], FIRST_PATTERN[start.length + 1]):
        size = PATTERN[pattern]
        for k in range(16):
            whole.below[k] = whole.upto[k] = FORM[pattern][k]
            whole.low[k] = LOW_FORM[pattern][k]
        fold(&one, &whole, &start.own, 8)
        # Of suits of one length the smaller mask stands behind, and 24 assignments of suits
        # count once for every order of equal masks.
        last_i = start.place if size[1] == size[0] else FIRST_OTHER[size[1] + 1] - 1
        for i in range(FIRST_OTHER[size[1]], last_i + 1):
            fold(&two, &one, &start.others[i], 4)
            masks[1] = start.others[i].mask
            run_one = 2 if i == start.place else 1
            weight_one = 24 // run_one
            last_j = i if size[2] == size[1] else FIRST_OTHER[size[2] + 1] - 1
            for j in range(FIRST_OTHER[size[2]], last_j + 1):
                fold(&three, &two, &start.others[j], 2)
                masks[2] = start.others[j].mask
                run = run_one + 1 if j == i else 1
                weight = weight_one // run
                last_k = j if size[3] == size[2] else FIRST_OTHER[size[3] + 1] - 1
                same_weight = weight // (run + 1) if last_k == j else weight
                if sink.histogram != NULL:
                    settle(
                        &three, start.others, FIRST_OTHER[size[3]], last_k, weight, same_weight,
                        sink.code + 2 * sink.keys * pattern, start.reaches, sink,
                    )
                else:
                    enlist(
                        &three, start.others, FIRST_OTHER[size[3]], last_k, weight, same_weight,
                        masks, start.reaches, sink,
                    )


def flushes() -> list[int]:
    """The masks of two to seven cards in ascending order as flushes, by length and then by rank."""
    return [FLUSH[j] for j in range(FLUSHES)]


def patterns() -> list[tuple[int, int, int, int]]:
    """The suit lengths of seven cards, in the order of the code tables."""
    return [(PATTERN[j][0], PATTERN[j][1], PATTERN[j][2], PATTERN[j][3]) for j in range(PATTERNS)]


def solve(
    Py_ssize_t start, Py_ssize_t stop, bint long_qualifies,
    const int64_t[:, :, ::1] utility, const int32_t[::1] allowed, const int64_t[:, ::1] bonus,
    const uint16_t[::1] marks, const int32_t[::1] tables, const int16_t[:, :, :, ::1] codes,
    const int32_t[::1] rows, int64_t[:, :, :, ::1] histogram, int64_t[:, ::1] ties,
):
    """Add the classes whose flush is one of ``[start, stop)`` into the histogram of their best choices.

    ``utility[length - 2][choice][3 * qualifies + result]`` (result: the player loses, ties, wins) and
    ``bonus[choice][code]`` make the value of a choice; of equals the first is taken. ``allowed[length - 2]``
    choices are open. The code of a class is ``codes[tables[flush]][pattern][four of a kind][sum of the marks
    of the three other suits]``; it goes to ``histogram[rows[flush]][code][choice][3 * qualifies + result]``
    and, where its best choice has an equal, its hands to ``ties[rows[flush]][code]``.

    The caller sees to it that every index is in range and that (greatest utility + greatest bonus) x 45,379,620
    stays below 2^63 in absolute value. A sum of counts is at most 133,784,560 x 45,379,620 < 6.1e15 < 2^63.
    """
    cdef Py_ssize_t flush
    cdef Start now
    cdef Sink sink
    cdef int j
    sink.codes, sink.choices, sink.keys = bonus.shape[1], bonus.shape[0], codes.shape[3]
    sink.bonus = &bonus[0, 0]
    sink.listed = NULL
    sink.listed_cells = NULL
    sink.classes = 0
    with nogil:
        for flush in range(start, stop):
            begin(&now, FLUSH[flush], long_qualifies)
            now.own.mark = 0
            for j in range(OTHERS):
                now.others[j].mark = marks[OTHER[j]]
            sink.allowed = allowed[now.length - 2]
            sink.utility = &utility[now.length - 2, 0, 0]
            sink.code = &codes[tables[flush], 0, 0, 0]
            sink.histogram = &histogram[rows[flush], 0, 0, 0]
            sink.ties = &ties[rows[flush], 0]
            walk(&now, &sink)


def classes(Py_ssize_t flush, bint long_qualifies, int32_t[:, ::1] listed=None, int64_t[:, ::1] cells=None) -> int:
    """The number of classes whose flush is number ``flush``; with arrays of that many rows, list them.

    ``listed``: the four masks and the number of hands; ``cells``: dealers by [3 * qualifies + result].
    """
    cdef Start now
    cdef Sink sink
    sink.histogram = NULL
    sink.listed = NULL
    sink.classes = 0
    begin(&now, FLUSH[flush], long_qualifies)
    if listed is not None:
        sink.listed = &listed[0, 0]
        sink.listed_cells = &cells[0, 0]
    walk(&now, &sink)
    return sink.classes


cdef inline void turn(int* suit, int card) noexcept nogil:
    """Put a card into the four masks, or take it out again."""
    suit[card // 13] ^= 1 << (card % 13)


def count_literally(
    Py_ssize_t start, Py_ssize_t stop, const int32_t[::1] held, int flush, bint long_qualifies, int64_t[::1] cells,
):
    """The second way: deal every dealer hand whose first card is one of ``[start, stop)`` of the 45 left.

    ``held`` are the player's masks by suit; ``cells[3 * qualifies + result]`` is added to. Every hand is looked at
    by its four masks, and nothing here uses the counts above.
    """
    cdef int[45] left
    cdef int[4] suit
    cdef int card, n = 0, a, b, c, d, e, f, g, best, low
    cdef int mine = SIZE[flush] << 13 | flush
    cdef int[8192] order
    for card in range(52):
        if not (held[card // 13] >> (card % 13)) & 1:
            if n < 45:
                left[n] = card
            n += 1
    if n != 45:
        raise ValueError("a player holds seven cards")
    with nogil:
        for n in range(8192):
            order[n] = SIZE[n] << 13 | n
        suit[0] = suit[1] = suit[2] = suit[3] = 0
        for a in range(start, min(stop, 39)):
            turn(suit, left[a])
            for b in range(a + 1, 40):
                turn(suit, left[b])
                for c in range(b + 1, 41):
                    turn(suit, left[c])
                    for d in range(c + 1, 42):
                        turn(suit, left[d])
                        for e in range(d + 1, 43):
                            turn(suit, left[e])
                            for f in range(e + 1, 44):
                                turn(suit, left[f])
                                for g in range(f + 1, 45):
                                    turn(suit, left[g])
                                    best = max(max(order[suit[0]], order[suit[1]]), max(order[suit[2]], order[suit[3]]))
                                    turn(suit, left[g])
                                    low = best < (3 << 13 | NINE_HIGH)
                                    if not long_qualifies and (best & 8191) < 128:
                                        low = 1
                                    cells[3 * (1 - low) + (best <= mine) + (best < mine)] += 1
                                turn(suit, left[f])
                            turn(suit, left[e])
                        turn(suit, left[d])
                    turn(suit, left[c])
                turn(suit, left[b])
            turn(suit, left[a])
