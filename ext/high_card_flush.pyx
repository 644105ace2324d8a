"""High Card Flush: every class of player hands against every dealer hand, counted without a loop over dealers.

A suit of a hand is a mask of 13 bits, so two flushes of one length compare as
integers, top card first. A player hand is four masks in descending order of
(length, mask); the first one is the player's flush, V, of length L.

A dealer hand is below V exactly if each suit has fewer than L cards, or L cards
that make a smaller mask. The number of such hands of seven cards is the
coefficient of x^7 in the product over the suits of

    C(r, 0) + C(r, 1) x + ... + C(r, L - 1) x^(L - 1) + c x^L,

where r cards of the suit are left and c of their L-subsets lie below V. Everything
except c depends only on the four suit lengths. So for each of the 11 patterns of
lengths the count is a fixed multilinear form in the four numbers c (16
coefficients). With c + 1 in each suit that still holds all of V's ranks, the form
counts "below or equal". With L = 3 and c = C(cards left below the nine, 3), it
counts the dealers who do not qualify.

Where the time goes. Three quarters of the 6,009,159 classes have a flush of two or
three cards. The form is folded suit by suit, the suit with the most masks last. A
class then takes three multiplications for its three counts, three more for the gain
of a raise over a fold, and four sums under the better choice; these become cells
once for each V. That is 9 ns a class on one core of 2.4 GHz. The numbers c (up to
378 suits for each V) and the loops take 2 of them, the choice less than 1. The sums
set the lower limit: about 5 ns per class, 30 ms on one core. Less time would need masks
of equal c to be merged, and classes would no longer be listed.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from binomials cimport BINOMIAL, fill_binomials
from doors cimport shaped, sized, within
from endings cimport ENDINGS, FAILS, LOSE, QUALIFIES, SHORTEST, TIE, WIN, ending

cdef enum:
    FLUSHES = 5798        # masks of two to seven cards
    OTHERS = 378          # masks of at most three cards: the possible suits other than the flush
    PATTERNS = 11
    LOW = 127             # the ranks below the nine
    NINE_HIGH = 131       # 9-3-2, the least flush of three that qualifies
    MOST_CHOICES = 8

# Suit lengths of seven cards: the flush, then the others ascending, so that the innermost
# loop runs over the most masks. Grouped by the flush.
cdef int[11][4] PATTERN = [
    [2, 1, 2, 2],
    [3, 1, 1, 2], [3, 0, 2, 2], [3, 0, 1, 3],
    [4, 1, 1, 1], [4, 0, 1, 2], [4, 0, 0, 3],
    [5, 0, 1, 1], [5, 0, 0, 2],
    [6, 0, 0, 1],
    [7, 0, 0, 0],
]
cdef int[9] FIRST_PATTERN = [0, 0, 0, 1, 4, 7, 9, 10, 11]  # by the length of the flush

cdef int[8192] SIZE
cdef int[8192] HIGHEST               # the top card of a mask, as a mask
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
    int mask
    int mark


cdef struct Extra:
    # Dealers eight high in four or more cards of a suit: against V, and all.
    int64_t below, upto, all


cdef struct Forms:
    # The rest of the three forms after some suits are folded in (16 coefficients, then
    # 8, 4 and 2), and further sums.
    int64_t[16] below
    int64_t[16] upto
    int64_t[16] low
    Extra extra
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
                    longer[j + k] += product[j] * BINOMIAL[13 - PATTERN[pattern][suit]][k]
            product = longer
        form[subset] = product[degree]


cdef void fill_tables() noexcept nogil:
    cdef int n, k, mask, at
    fill_binomials()
    for mask in range(8192):
        SIZE[mask] = count_bits(mask)
        HIGHEST[mask] = mask if SIZE[mask] < 2 else HIGHEST[mask & (mask - 1)]
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
DEALERS = BINOMIAL[45][7]


cdef inline int64_t subsets_below(int left, int flush, int length) noexcept nogil:
    """How many subsets of ``left`` of ``length`` cards make a smaller mask than ``flush`` (of as many cards)."""
    cdef int64_t count = 0
    cdef int rest = flush, bit, missing = length
    while missing:
        # Subsets that agree with the flush above its next card and have a lower card there.
        bit = HIGHEST[rest]
        count += BINOMIAL[SIZE[left & (bit - 1)]][missing]
        if not (left & bit):
            break
        rest ^= bit
        missing -= 1
    return count


cdef void fill_suit(Suit* suit, int held, int flush, int length) noexcept nogil:
    """The contribution to the dealer's counts against ``flush`` of the suit in which the player holds ``held``."""
    cdef int left = 8191 ^ held
    suit.mask = held
    suit.below = subsets_below(left, flush, length)
    suit.upto = suit.below + ((held & flush) == 0)
    suit.low = BINOMIAL[SIZE[left & LOW]][3]


cdef void fill_extra(Extra* extra, int held, int flush, int length) noexcept nogil:
    """The dealers eight high in four or more cards; no two suits hold four of seven, so they add up by suit."""
    cdef int left = LOW & ~held, n
    cdef int64_t ways, all, below, upto
    extra.below = extra.upto = extra.all = 0
    for n in range(4, 8):
        ways = BINOMIAL[32 + SIZE[held]][7 - n]
        all = below = upto = BINOMIAL[SIZE[left]][n]
        if n > length:
            below = upto = 0
        elif n == length:
            below = subsets_below(left, flush, length)
            upto = below + ((flush & ~left) == 0)
        extra.all += ways * all
        extra.below += ways * below
        extra.upto += ways * upto


cdef inline void add(Extra* into, const Extra* more) noexcept nogil:
    into.below += more.below
    into.upto += more.upto
    into.all += more.all


cdef inline void fold(Forms* into, const Forms* forms, const Suit* suit, const Extra* extra, int terms) noexcept nogil:
    """Fold one more suit into the forms, which leaves ``terms`` coefficients."""
    cdef int j
    for j in range(terms):
        into.below[j] = forms.below[2 * j] + suit.below * forms.below[2 * j + 1]
        into.upto[j] = forms.upto[2 * j] + suit.upto * forms.upto[2 * j + 1]
        into.low[j] = forms.low[2 * j] + suit.low * forms.low[2 * j + 1]
    into.extra = forms.extra
    add(&into.extra, extra)
    into.ranks = forms.ranks & suit.mask
    into.mark = forms.mark + suit.mark


cdef struct Counts:
    # Sums over hands: the hands themselves, the dealers below V, up to V, below 9-3-2, and the extra ones.
    int64_t hands, below, upto, low
    Extra extra


cdef void cells(const Counts* c, bint reaches, int64_t* cell) noexcept nogil:
    """Add dealers by ending; ``reaches``: the player's flush is 9-3-2 or better."""
    # The dealers who do not qualify: all, and those up to and below the player's flush.
    cdef int64_t low = c.low + c.extra.all
    cdef int64_t low_upto = c.low + c.extra.upto if reaches else c.upto
    cdef int64_t low_below = c.low + c.extra.below if reaches else c.below
    cell[ending(FAILS, LOSE)] += low - low_upto
    cell[ending(FAILS, TIE)] += low_upto - low_below
    cell[ending(FAILS, WIN)] += low_below
    cell[ending(QUALIFIES, LOSE)] += DEALERS * c.hands - c.upto - low + low_upto
    cell[ending(QUALIFIES, TIE)] += c.upto - c.below - low_upto + low_below
    cell[ending(QUALIFIES, WIN)] += c.below - low_below


cdef struct Weights:
    # The gain of a choice over the first one, as a linear form in Counts.
    int64_t below, upto, low
    Extra extra


cdef void weigh(Weights* w, const int64_t* utility, const int64_t* first, bint reaches) noexcept nogil:
    """``cells`` transposed: the differences of six utilities from six others, as weights of the counts.

    The weight of the hands themselves is DEALERS times the difference for a loss to a dealer who qualifies.
    """
    cdef int64_t[ENDINGS] u
    cdef int k
    for k in range(ENDINGS):
        u[k] = utility[k] - first[k]
    cdef int64_t lose = u[ending(QUALIFIES, LOSE)], low_lose = u[ending(FAILS, LOSE)]
    cdef int64_t tie = u[ending(QUALIFIES, TIE)], low_tie = u[ending(FAILS, TIE)]
    cdef int64_t win = u[ending(QUALIFIES, WIN)], low_win = u[ending(FAILS, WIN)]
    w.extra.all = low_lose - lose
    w.extra.upto = (low_tie - tie) - (low_lose - lose)
    w.extra.below = (low_win - win) - (low_tie - tie)
    if reaches:
        w.below, w.upto, w.low = win - tie, tie - lose, low_win - win
    else:
        w.below, w.upto, w.low = low_win - low_tie, low_tie - low_lose, low_lose - lose


cdef struct Start:
    # A flush, and the contributions of every other suit.
    int flush, length, place    # place: among the masks of at most three cards
    bint reaches
    Suit own
    Extra own_extra
    Suit[OTHERS] others
    Extra[OTHERS] extras


cdef void begin(Start* start, int flush, bint long_qualifies) noexcept nogil:
    cdef int j
    start.flush, start.length, start.place = flush, SIZE[flush], -1
    start.reaches = start.length > 3 or (start.length == 3 and flush >= NINE_HIGH)
    fill_suit(&start.own, flush, flush, start.length)
    if not long_qualifies:
        fill_extra(&start.own_extra, flush, flush, start.length)
    for j in range(FIRST_OTHER[min(start.length, 7 - start.length) + 1]):
        fill_suit(&start.others[j], OTHER[j], flush, start.length)
        if not long_qualifies:
            fill_extra(&start.extras[j], OTHER[j], flush, start.length)
        if OTHER[j] == flush:
            start.place = j


cdef struct Sink:
    # The target of a class: sums under its best choice, or a list.
    bint long_qualifies
    int codes, choices, allowed, keys
    Weights[MOST_CHOICES] weights
    const int64_t* constant     # [code][choice], the part of the value that does not depend on the counts
    const int16_t* code         # [four of a kind][key]
    Counts* sums                # [code][choice]
    int64_t* ties               # [code]
    int32_t* listed             # [class][four masks, weight]
    int64_t* listed_cells       # [class][qualifies, result]
    Py_ssize_t classes


cdef inline void settle(
    const Forms* three, const Suit* suits, const Extra* extras, int first, int last, int64_t weight,
    bint long_qualifies, Sink* sink,
) noexcept nogil:
    """Every class whose last suit is one of ``first`` to ``last``, of ``weight`` hands each."""
    cdef int64_t below, upto, low, value, most
    cdef Extra extra
    cdef const Weights* by
    cdef const int64_t* constant
    cdef int j, choice, best, at
    cdef bint tie
    cdef Counts* into
    for j in range(first, last + 1):
        below = three.below[0] + suits[j].below * three.below[1]
        upto = three.upto[0] + suits[j].upto * three.upto[1]
        low = three.low[0] + suits[j].low * three.low[1]
        at = sink.code[(sink.keys if three.ranks & suits[j].mask else 0) + three.mark + suits[j].mark]
        constant = sink.constant + at * sink.choices
        if not long_qualifies:
            extra = three.extra
            add(&extra, &extras[j])
        best, most, tie = 0, 0, False
        for choice in range(1, sink.allowed):
            by = &sink.weights[choice]
            value = constant[choice] + by.below * below + by.upto * upto + by.low * low
            if not long_qualifies:
                value += by.extra.below * extra.below + by.extra.upto * extra.upto + by.extra.all * extra.all
            if value > most:
                best, most, tie = choice, value, False
            elif value == most:
                tie = True
        into = sink.sums + at * sink.choices + best
        into.hands += weight
        into.below += weight * below
        into.upto += weight * upto
        into.low += weight * low
        if not long_qualifies:
            into.extra.below += weight * extra.below
            into.extra.upto += weight * extra.upto
            into.extra.all += weight * extra.all
        if tie:
            sink.ties[at] += weight


cdef void enlist(
    const Forms* three, const Start* start, int i, int j, int first, int last, int weight, Sink* sink,
) noexcept nogil:
    cdef Forms four
    cdef Counts counts
    cdef int32_t* row
    cdef int k
    for k in range(first, last + 1):
        if sink.listed != NULL:
            fold(&four, three, &start.others[k], &start.extras[k], 1)
            counts.hands, counts.below, counts.upto, counts.low = 1, four.below[0], four.upto[0], four.low[0]
            counts.extra = four.extra
            cells(&counts, start.reaches, sink.listed_cells + ENDINGS * sink.classes)
            row = sink.listed + 5 * sink.classes
            row[0], row[1], row[2], row[3] = start.flush, OTHER[k], OTHER[j], OTHER[i]
            row[4] = weight
        sink.classes += 1


cdef struct Parts:
    # The last loop in three parts: one mask equal to that of the previous loop, those in between, one mask equal to
    # the flush. A part may be empty. All hands of a part have one weight.
    int[3] first
    int[3] last
    int[3] weight


cdef inline void part(Parts* parts, const int* size, int j, bint repeats, int end) noexcept nogil:
    """Divide the last loop after mask ``j`` of the previous loop, which may repeat (``repeats``) the one before it."""
    # Of the 24 assignments of suits, those that permute equal masks count once.
    cdef int run = 2 if repeats else 1
    parts.weight[1] = 24 // run
    parts.first[0] = parts.first[1] = j if size[3] == size[2] else FIRST_OTHER[size[3]]
    parts.last[0] = parts.first[0] - 1
    parts.last[1] = end
    if size[3] == size[2]:
        parts.last[0], parts.first[1] = j, j + 1
        parts.weight[0] = parts.weight[1] // (run + 1)
    parts.first[2], parts.last[2] = end + 1, end
    if size[3] == size[0]:
        if parts.first[1] > end:
            parts.weight[0] //= run + 2
        else:
            parts.first[2], parts.last[1] = end, end - 1
            parts.weight[2] = parts.weight[1] // 2


cdef inline void whole_forms(Forms* whole, int pattern) noexcept nogil:
    cdef int k
    for k in range(16):
        whole.below[k] = whole.upto[k] = FORM[pattern][k]
        whole.low[k] = LOW_FORM[pattern][k]
    whole.extra.below = whole.extra.upto = whole.extra.all = 0
    whole.ranks, whole.mark = 8191, 0


cdef void walk(const Start* start, int pattern, Sink* sink) noexcept nogil:
    """Every class of hands of one pattern whose flush is that of ``start``, once."""
    cdef Forms whole, one, two, three
    cdef Parts parts
    cdef int i, j, k, last_j, end
    cdef const int* size = PATTERN[pattern]
    whole_forms(&whole, pattern)
    fold(&one, &whole, &start.own, &start.own_extra, 8)
    # Of suits of one length the masks ascend from loop to loop, up to that of the flush.
    last_j = start.place if size[2] == size[0] else FIRST_OTHER[size[2] + 1] - 1
    end = start.place if size[3] == size[0] else FIRST_OTHER[size[3] + 1] - 1
    for i in range(FIRST_OTHER[size[1]], FIRST_OTHER[size[1] + 1]):
        fold(&two, &one, &start.others[i], &start.extras[i], 4)
        for j in range(i if size[2] == size[1] else FIRST_OTHER[size[2]], last_j + 1):
            fold(&three, &two, &start.others[j], &start.extras[j], 2)
            part(&parts, size, j, j == i, end)
            for k in range(3):
                if parts.first[k] > parts.last[k]:
                    continue
                if sink.sums == NULL:
                    enlist(&three, start, i, j, parts.first[k], parts.last[k], parts.weight[k], sink)
                elif sink.long_qualifies:
                    settle(
                        &three, start.others, start.extras, parts.first[k], parts.last[k], parts.weight[k], True, sink
                    )
                else:
                    settle(
                        &three, start.others, start.extras, parts.first[k], parts.last[k], parts.weight[k], False, sink
                    )


def flushes() -> list[int]:
    """The masks of two to seven cards in ascending order as flushes, by length and then by rank."""
    return [FLUSH[j] for j in range(FLUSHES)]


def patterns() -> list[tuple[int, int, int, int]]:
    """The suit lengths of seven cards, descending, in the order of the code tables."""
    return [(PATTERN[j][0], PATTERN[j][3], PATTERN[j][2], PATTERN[j][1]) for j in range(PATTERNS)]


cdef void weigh_choices(
    Sink* sink, const int64_t* utility, const int64_t[:, ::1] bonus, bint reaches, int64_t* constant
) noexcept nogil:
    """The value of each choice over the first, for one flush length: its weights, and its constant by code."""
    cdef int choice, code
    cdef const int64_t* own
    for choice in range(sink.choices):
        own = utility + ENDINGS * choice
        weigh(&sink.weights[choice], own, utility, reaches)
        for code in range(sink.codes):
            constant[code * sink.choices + choice] = DEALERS * (
                bonus[choice, code] - bonus[0, code] + own[ending(QUALIFIES, LOSE)] - utility[ending(QUALIFIES, LOSE)]
            )


def solve(
    Py_ssize_t start, Py_ssize_t stop, const int32_t[::1] order, bint long_qualifies,
    const int64_t[:, :, ::1] utility, const int32_t[::1] allowed, const int64_t[:, ::1] bonus,
    const uint16_t[::1] marks, const int32_t[::1] tables, const int16_t[:, :, :, ::1] codes,
    const int32_t[::1] rows, int64_t[:, :, :, ::1] histogram, int64_t[:, ::1] ties,
):
    """Add the classes whose flush is one of ``order[start:stop]`` into the histogram of their best choices.

    ``utility[length - 2][choice][3 * qualifies + result]`` (result: the player loses, ties, wins) and
    ``bonus[choice][code]`` make the value of a choice; of equals the first is taken. ``allowed[length - 2]``
    choices are open. The code of a class is ``codes[tables[flush]][pattern][four of a kind][sum of the marks
    of the three other suits]``; it goes to ``histogram[rows[flush]][code][choice][3 * qualifies + result]``
    and, where its best choice has an equal, its hands to ``ties[rows[flush]][code]``.

    The caller makes sure that every index is in range and that (greatest utility + greatest bonus) x 45,379,620
    stays below 2^57 in absolute value: a value is a sum of at most seven terms of up to eight times that product.
    A sum of counts is at most 133,784,560 x 45,379,620 < 6.1e15 < 2^63.
    """
    within(start, stop, order.shape[0], "flushes")
    sized("utility", utility.shape, (6, bonus.shape[0], ENDINGS))
    sized("allowed", allowed.shape, (6,))
    sized("marks", marks.shape, (8192,))
    sized("tables", tables.shape, (FLUSHES,))
    sized("rows", rows.shape, (FLUSHES,))
    sized("codes", codes.shape, (None, PATTERNS, 2, None))
    sized("histogram", histogram.shape, (None, bonus.shape[1], bonus.shape[0], ENDINGS))
    sized("ties", ties.shape, (histogram.shape[0], bonus.shape[1]))
    cdef Py_ssize_t item, flush, number
    cdef int j, pattern, codes_count = bonus.shape[1], choices = bonus.shape[0]
    cdef Py_ssize_t size = codes_count * choices
    cdef const int64_t* of_length
    cdef Start now
    cdef Sink sink
    if choices > MOST_CHOICES:
        raise ValueError("too many choices")
    sink.sums = <Counts*> calloc(size, sizeof(Counts))
    cdef int64_t* constant = <int64_t*> calloc(size, sizeof(int64_t))
    if sink.sums == NULL or constant == NULL:
        free(sink.sums)
        free(constant)
        raise MemoryError
    sink.long_qualifies = long_qualifies
    sink.codes, sink.choices, sink.keys = codes_count, choices, codes.shape[3]
    sink.constant = constant
    with nogil:
        memset(&now, 0, sizeof(Start))
        for j in range(OTHERS):
            now.others[j].mark = marks[OTHER[j]]
        for item in range(start, stop):
            flush = order[item]
            begin(&now, FLUSH[flush], long_qualifies)
            of_length = &utility[now.length - SHORTEST, 0, 0]
            sink.allowed = allowed[now.length - SHORTEST]
            sink.ties = &ties[rows[flush], 0]
            weigh_choices(&sink, of_length, bonus, now.reaches, constant)
            for pattern in range(FIRST_PATTERN[now.length], FIRST_PATTERN[now.length + 1]):
                sink.code = &codes[tables[flush], pattern, 0, 0]
                walk(&now, pattern, &sink)
            for number in range(size):
                if sink.sums[number].hands:
                    cells(&sink.sums[number], now.reaches, &histogram[rows[flush], 0, 0, 0] + ENDINGS * number)
                    memset(&sink.sums[number], 0, sizeof(Counts))
    free(sink.sums)
    free(constant)


def classes(Py_ssize_t flush, bint long_qualifies, int32_t[:, ::1] listed=None, int64_t[:, ::1] cells=None) -> int:
    """The number of classes whose flush is number ``flush``; with zeroed arrays of that many rows, list them.

    ``listed``: the four masks and the number of hands; ``cells``: dealers by [3 * qualifies + result].
    """
    within(0, flush + 1, FLUSHES, "flushes")
    shaped((listed is None) == (cells is None), "listed and cells together")
    if listed is not None:
        sized("listed", listed.shape, (classes(flush, long_qualifies), 5))
        sized("cells", cells.shape, (listed.shape[0], ENDINGS))
    cdef Start now
    cdef Sink sink
    cdef int pattern
    memset(&now, 0, sizeof(Start))
    memset(&sink, 0, sizeof(Sink))
    begin(&now, FLUSH[flush], long_qualifies)
    if listed is not None:
        sink.listed = &listed[0, 0]
        sink.listed_cells = &cells[0, 0]
    for pattern in range(FIRST_PATTERN[now.length], FIRST_PATTERN[now.length + 1]):
        walk(&now, pattern, &sink)
    return sink.classes
