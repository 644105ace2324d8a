"""Chase the Flush, shared by its kernels: the dealer's hands of every board given a class of hole cards.

The value of a hand is its longest set of cards of one suit, compared by length,
then by ranks from the top. Ranks of one suit are a 13-bit mask, so two flushes
of one length compare as integers, and ``length << 13 | ranks`` is a total order.

Classes of hole cards are counted one at a time. The flushes V of one length L are
taken in ascending order. A dealer's hand is below V exactly if each of its suits is.
In a suit with n board cards and u unseen ones, any k < L - n further cards stay
below, k > L - n do not, and of the subsets of k = L - n cards x do. So the number of
dealer hands below V is the coefficient of t^3 in a product of four polynomials. Their
coefficients are binomials, except for the number x. The step past V changes x only
for boards that are subsets of V.

Boards whose best flush with the hole cards is V are prefixes of sorted lists, one
list a suit. In a `Run` the last board card takes each card of one suit while the
other three are fixed; each count is then ``a + b * x``. Three counts decide a river
position: dealer hands below V, not above V, and not qualifying. Each is at most
C(45, 3) = 14,190, so they are 16-bit lanes of one word.

Suits with the same hole cards are interchangeable. Of the boards that differ by such
a permutation, one is counted, with its weight.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport malloc
from libc.string cimport memset

from binomials cimport BINOMIAL
from chase_the_flush_masks cimport LISTED, LOW, MASK, MEMBER, PLACE, PLAIN, SIZE, SUBSETS, UPTO_SIZE

cdef enum:
    BOARDS = 211876        # C(49, 4) boards given one hand of hole cards
    BOARD = 4              # cards of a board
    DEALT = 3              # cards of a dealer's hand
    DEALER_HANDS = 14190   # C(45, 3)

# Lanes of a word, and of the numbers that make it: the dealer hands below the player's flush V, not above V,
# and not qualifying. The fourth lane of a word marks the choice on the river.
cdef enum:
    BELOW = 0
    UPTO = 1
    UNQUALIFIED = 2
    COUNTS = 3
    MARKS = 3
    LANES = 4

# Grades of the player's flush: its length, and for three cards whether a dealer needs more to qualify.
cdef enum:
    TWO = 0
    LOW_THREE = 1          # lower than nine high
    HIGH_THREE = 2         # the first that a dealer's flush can qualify and stay below
    GRADES = 7             # after it flushes of 4, 5, 6 and 7

cdef extern from *:
    """
    #include <stdint.h>
    /* permutations of a group of suits over those that change nothing, by pairs of equal neighbours */
    static const int WEIGHT[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {6, 3, 1}};

    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>

    /* a + b * x in 16-bit lanes, two positions at a time; one position may be written beyond the last */
    static inline void combin_fill_run(uint16_t *word, int length,
            const uint16_t *a, const uint16_t *b, const uint16_t *x) {
        __m128i constant = _mm_loadl_epi64((const __m128i *)a), factor = _mm_loadl_epi64((const __m128i *)b);
        constant = _mm_unpacklo_epi64(constant, constant);
        factor = _mm_unpacklo_epi64(factor, factor);
        for (int i = 0; i < length; i += 2)
            _mm_storeu_si128((__m128i *)(word + 4 * i), _mm_add_epi16(constant,
                _mm_mullo_epi16(factor, _mm_loadu_si128((const __m128i *)(x + 4 * i)))));
    }

    /* a + b * x in four lanes; every count ends below 2^16, so it is right whatever is lost above on the way */
    static inline void combin_at(uint16_t *out, const uint16_t *a, const uint16_t *b, const uint16_t *x) {
        _mm_storel_epi64((__m128i *)out, _mm_add_epi16(_mm_loadl_epi64((const __m128i *)a),
            _mm_mullo_epi16(_mm_loadl_epi64((const __m128i *)b), _mm_loadl_epi64((const __m128i *)x))));
    }

    /* sums += weight * (the three counts, 1); its lanes have a sign, and a count is at most 14,190, below 2^15 */
    static inline void combin_add_run(uint32_t *sums, const uint16_t *word, int length, int weight) {
        const __m128i counted = _mm_set_epi32(0, -1, -1, -1), one = _mm_set_epi32(0x10001, 0, 0, 0);
        __m128i total = _mm_loadu_si128((const __m128i *)sums);
        for (int i = 0; i < length; i += 2) {
            __m128i counts = _mm_loadu_si128((const __m128i *)(word + 4 * i));
            __m128i factor = _mm_set1_epi32(i + 1 < length ? weight << 16 | weight : weight);
            counts = _mm_unpacklo_epi16(counts, _mm_srli_si128(counts, 8));
            counts = _mm_or_si128(_mm_and_si128(counts, counted), one);
            total = _mm_add_epi32(total, _mm_madd_epi16(counts, factor));
        }
        _mm_storeu_si128((__m128i *)sums, total);
    }
    #else
    static inline void combin_add_run(uint32_t *sums, const uint16_t *word, int length, int weight) {
        for (int i = 0; i < length; i++, word += 4) {
            for (int j = 0; j < 3; j++) sums[j] += (uint32_t)word[j] * (uint32_t)weight;
            sums[3] += (uint32_t)weight;
        }
    }

    static inline void combin_at(uint16_t *out, const uint16_t *a, const uint16_t *b, const uint16_t *x) {
        for (int k = 0; k < 4; k++) out[k] = (uint16_t)(a[k] + (uint32_t)b[k] * x[k]);
    }

    static inline void combin_fill_run(uint16_t *word, int length,
            const uint16_t *a, const uint16_t *b, const uint16_t *x) {
        for (int i = 0; i < length; i++) combin_at(word + 4 * i, a, b, x + 4 * i);
    }
    #endif
    """
    const int WEIGHT[4][3]
    void combin_at(uint16_t* out, const uint16_t* a, const uint16_t* b, const uint16_t* x) noexcept nogil
    void combin_add_run(uint32_t* sums, const uint16_t* word, int length, int weight) noexcept nogil
    void combin_fill_run(uint16_t* word, int length, const uint16_t* a, const uint16_t* b,
                         const uint16_t* x) noexcept nogil


cdef struct Run:
    uint16_t flush         # length << 13 | ranks of the player's best flush
    uint8_t outer[3]       # board cards that stand still, as unseen cards 0..48
    uint8_t inner          # first of the consecutive unseen cards that the fourth runs through
    uint8_t length
    uint8_t grade
    uint8_t weight         # boards that each position stands for

cdef struct Draft:
    # the next run. Its parts are written one by one and read at once: bytes, as in a Run, would stall that.
    int flush
    int outer[3]
    int inner
    int length
    int grade
    int weight

cdef struct Work:
    # one class of hole cards; suits with equal hole cards are adjacent
    int hole[4]
    int held[4]            # cards of the hole in the suit, and their ranks from the top
    int rank[4][3]
    int size[4]            # 13 - held: unseen cards of the suit, numbered from base
    int base[4]
    int same[4]            # 1 if the suit's hole cards are those of the previous suit
    int group              # number of suits in the one group of interchangeable suits, or 1
    # by suit, number of board cards in it, and their index in the list of such subsets
    # x for "below V", "not above V" and "not qualifying"; at most C(13, 3) = 286
    uint16_t x[4][5][LISTED + 1][4]
    int passed[4]          # the suit's flushes with the hole cards that V has passed
    int runs
    int positions
    Run run[BOARDS]
    uint16_t word[BOARDS + 1][4]     # below, upto, unqualified, marks of the river choices
    # totals over river positions by flop: [one card][other card][choose later, raise now][table]
    int64_t flop[49][49][2][2]
    int32_t narrow[49][49][4]        # the same, in parts that fit 32 bits
    uint8_t raised[49][49] # table 0's choice + 7 * table 1's


cdef inline int squeeze(const Work* w, int s, int mask) noexcept nogil:
    """The mask without the places of the suit's hole cards, which it does not hold."""
    cdef int i, under
    for i in range(w.held[s]):
        under = (1 << w.rank[s][i]) - 1
        mask = (mask & under) | (mask >> 1 & ~under)
    return mask


cdef inline void multiply(const int32_t* a, const int32_t* b, int32_t* out) noexcept nogil:
    """The product up to t^3; coefficients count sets of unseen cards, so they stay below 2^31."""
    out[0] = a[0] * b[0]
    out[1] = a[0] * b[1] + a[1] * b[0]
    out[2] = a[0] * b[2] + a[1] * b[1] + a[2] * b[0]
    out[3] = a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0]


cdef inline void with_x(const int32_t* base, int limit, int x, int32_t* out) noexcept nogil:
    cdef int k
    for k in range(4):
        out[k] = base[k]
    if 0 <= limit <= 3:
        out[limit] += x


cdef struct Star:
    # the player's best flush V, and the suit that holds it
    int suit
    int length
    int ranks
    int n                  # board cards of the suit, and their place in its list
    int place
    int other[3]           # the other suits
    int32_t poly[COUNTS][4]  # the suit's dealer cards, by their number
    Draft run              # its outer cards begin with the suit's


cdef struct Spread:
    # the board cards of the other suits; the star's own suit is V's
    int n[4]               # by suit: how many
    int count[4]           # how many such subsets stay below V
    int at[4]              # the place of one of them
    # the loops' suits, from outside to inside
    int A
    int B
    int C
    const int32_t* base[4][2]  # dealer cards of the suit but for x, in the lanes of V and for "not qualifying"
    int need[4][2]         # the number of cards that x counts, or 7: beyond all
    int32_t both[2][4]     # base[B] times base[C]


cdef struct Counts:
    # the lanes as functions of x in the suits B and C: constant + x_B * b + x_C * c + x_B * x_C * bc, modulo 2^16;
    # the lane of marks stays 0
    uint16_t constant[LANES]
    uint16_t b[LANES]
    uint16_t c[LANES]
    uint16_t bc[LANES]


cdef inline const int32_t* fewer(int unseen, int limit) noexcept nogil:
    """The sets of fewer than ``limit`` unseen cards of a suit by their number, behind eight zeros."""
    return &PLAIN[unseen][0 if limit < 0 else 4 if limit > 4 else limit][8]


cdef inline void open_class(Work* w, const int32_t* hole) noexcept nogil:
    cdef int s, k, at = 0
    w.group = 1
    for s in range(4):
        w.hole[s] = hole[s]
        w.held[s] = 0
        for k in range(12, -1, -1):
            if hole[s] >> k & 1:
                w.rank[s][w.held[s]] = k
                w.held[s] += 1
        w.size[s] = 13 - w.held[s]
        w.base[s] = at
        at += w.size[s]
        w.same[s] = s > 0 and hole[s] == hole[s - 1]
        w.group += w.same[s]
        count_unqualified(w, s)
    w.runs = 0
    w.positions = 0


cdef inline void count_unqualified(Work* w, int s) noexcept nogil:
    """The x of "not qualifying" for the suit's board cards, which no flush changes."""
    cdef int n, place, low_subsets
    # without the hole cards' places, low cards are the suit's first ones, and subsets of low cards come first
    cdef int low = 7 - SIZE[w.hole[s] & LOW]
    for n in range(BOARD + 1):
        low_subsets = BINOMIAL[low][n] if n < 4 else 0
        for place in range(BINOMIAL[w.size[s]][n]):
            w.x[s][n][place][UNQUALIFIED] = BINOMIAL[low - n][3 - n] if place < low_subsets else 0
            w.x[s][n][place][MARKS] = 0


cdef inline void add_run(
    Work* w, const Draft* draft, const uint16_t* a, const uint16_t* b, const uint16_t* x
) noexcept nogil:
    """Count ``a + b * x`` on the boards of a run."""
    cdef Run* run = &w.run[w.runs]
    run.flush = draft.flush
    run.outer[0] = draft.outer[0]
    run.outer[1] = draft.outer[1]
    run.outer[2] = draft.outer[2]
    run.inner = draft.inner
    run.length = draft.length
    run.grade = draft.grade
    run.weight = draft.weight
    combin_fill_run(w.word[w.positions], draft.length, a, b, x)
    w.runs += 1
    w.positions += draft.length


cdef inline int list_cards(const Work* w, int s, int n, int place, int* outer) noexcept nogil:
    """Write a suit's listed subset as unseen cards; returns their number."""
    cdef int i
    for i in range(n):
        outer[i] = w.base[s] + MEMBER[n][place][i]
    return n


cdef inline void open_star(const Work* w, Star* star, int length, int ranks, int suit) noexcept nogil:
    """The flush of ``ranks`` in ``suit``, and the dealer's possible cards of that suit."""
    cdef int j, s, top
    cdef int held = w.held[suit]
    cdef int32_t x
    cdef const int32_t* base = fewer(13 - length, held)
    star.suit, star.length, star.ranks = suit, length, ranks
    star.run.flush = length << 13 | ranks
    if length == 3:
        star.run.grade = HIGH_THREE if ranks & ~LOW else LOW_THREE
    else:
        star.run.grade = TWO if length == 2 else length - 1
    star.n = length - held
    star.place = PLACE[squeeze(w, suit, ranks & ~w.hole[suit])]
    # in place of the player's hole cards of the suit the dealer needs lower ones
    if held == 0:
        with_x(base, 0, 0, star.poly[BELOW])
        with_x(base, 0, 1, star.poly[UPTO])
    else:
        top = w.rank[suit][0]
        x = BINOMIAL[top - SIZE[ranks & ((1 << top) - 1)]][held]
        with_x(base, held, x, star.poly[BELOW])
        with_x(base, held, x, star.poly[UPTO])
    if star.n < BOARD:
        list_cards(w, suit, star.n, star.place, star.run.outer)
        with_x(fewer(13 - length, 3 - star.n), 3 - star.n, w.x[suit][star.n][star.place][UNQUALIFIED],
               star.poly[UNQUALIFIED])
    j = 0
    for s in range(4):
        if s != suit:
            star.other[j] = s
            j += 1


cdef inline void count_board(Work* w, Star* star) noexcept nogil:
    """A board of only the flush's suit: no other suit of the dealer's can reach the flush."""
    cdef int j, s, equal = 0
    cdef int unseen = 39 - (3 - w.held[star.suit])
    cdef const uint8_t* member = MEMBER[BOARD][star.place]
    cdef uint16_t a[LANES]
    cdef uint16_t b[LANES]
    memset(a, 0, sizeof(a))
    memset(b, 0, sizeof(b))
    for j in range(DEALT + 1):
        a[BELOW] += star.poly[BELOW][j] * BINOMIAL[unseen][DEALT - j]
        a[UPTO] += star.poly[UPTO][j] * BINOMIAL[unseen][DEALT - j]
    for s in range(1, 4):
        if w.same[s] and s - 1 != star.suit:
            equal += 1
    for j in range(BOARD - 1):
        star.run.outer[j] = w.base[star.suit] + member[j]
    star.run.inner = w.base[star.suit] + member[BOARD - 1]
    star.run.length = 1
    star.run.weight = WEIGHT[w.group][equal]
    add_run(w, &star.run, a, b, w.x[star.suit][0][0])


cdef inline bint limit_suits(const Work* w, const Star* star, Spread* spread) noexcept nogil:
    """Count each other suit's subsets below V, or up to V if V's suit comes first; false if a suit has none."""
    cdef int j, s
    for s in range(1, 4):
        if w.same[s] and spread.n[s] > spread.n[s - 1]:
            return False
    for j in range(3):
        s = star.other[j]
        if w.held[s] + spread.n[s] > star.length:
            return False
        elif w.held[s] + spread.n[s] == star.length:
            spread.count[s] = w.passed[s]
            if s > star.suit and w.hole[s] & ~star.ranks == 0:
                spread.count[s] += 1
        else:
            spread.count[s] = BINOMIAL[w.size[s]][spread.n[s]]
        if spread.count[s] == 0:
            return False
    return True


cdef inline void order_suits(const Work* w, const Star* star, Spread* spread) noexcept nogil:
    """Choose the inner suit, and set up the polynomials of all three."""
    cdef int j, s, v, limit, least = BOARD + 1
    for j in range(3):
        s = star.other[j]
        for v in range(2):
            limit = (3 if v else star.length) - spread.n[s]
            spread.base[s][v] = fewer(w.size[s] - spread.n[s], limit)
            # a limit without an x points into the zeros
            spread.need[s][v] = limit if 0 <= limit <= DEALT else 7
    # the inner suit: the fewest board cards, at least one; of equals the last
    spread.C = star.other[2]
    for j in range(3):
        if 1 <= spread.n[star.other[j]] <= least:
            least = spread.n[star.other[j]]
            spread.C = star.other[j]
    spread.A = star.other[0] if star.other[0] != spread.C else star.other[1]
    spread.B = star.other[2] if star.other[2] != spread.C else star.other[1]
    for v in range(2):
        multiply(spread.base[spread.B][v], spread.base[spread.C][v], spread.both[v])


cdef inline void fold_lane(
    const int32_t* product, const Spread* spread, int v, int lane, Counts* counts
) noexcept nogil:
    """Multiply the polynomials of the suits B and C into that of the other two; take the coefficient of t^3."""
    cdef int j, shift_b = DEALT - spread.need[spread.B][v], shift_c = DEALT - spread.need[spread.C][v]
    cdef int32_t constant = 0, b = 0, c = 0
    for j in range(DEALT + 1):
        constant += product[j] * spread.both[v][DEALT - j]
        b += product[j] * spread.base[spread.C][v][shift_b - j]
        c += product[j] * spread.base[spread.B][v][shift_c - j]
    counts.constant[lane] = constant
    counts.b[lane] = b
    counts.c[lane] = c
    counts.bc[lane] = product[shift_b + shift_c - DEALT] if shift_b + shift_c >= DEALT else 0


cdef inline void fold_outer(const Star* star, const Spread* spread, Counts* still, Counts* by_x) noexcept nogil:
    """The counts are ``still + by_x * x`` for the x of suit A."""
    cdef int lane, v, j, need
    cdef int32_t product[4]
    memset(still, 0, sizeof(Counts))
    memset(by_x, 0, sizeof(Counts))
    for lane in range(COUNTS):
        v = lane == UNQUALIFIED
        multiply(star.poly[lane], spread.base[spread.A][v], product)
        fold_lane(product, spread, v, lane, still)
        need = spread.need[spread.A][v]
        if need <= DEALT:
            for j in range(DEALT + 1):
                product[j] = star.poly[lane][j - need] if j >= need else 0
            fold_lane(product, spread, v, lane, by_x)


cdef inline int equal_suits(const Work* w, const Spread* spread) noexcept nogil:
    """Neighbours among the interchangeable suits with the same board cards, without suit C."""
    cdef int s, equal = 0
    if w.group > 1:
        for s in range(1, 4):
            if w.same[s] and s != spread.C and s - 1 != spread.C and spread.n[s] == spread.n[s - 1] \
                    and spread.at[s] == spread.at[s - 1]:
                equal += 1
    return equal


cdef inline void add_runs(
    Work* w, Draft* run, const Spread* spread, int* outer, const uint16_t* a, const uint16_t* b,
) noexcept nogil:
    """All subsets of suit C: runs over its lowest card, with its other cards at ``outer``."""
    cdef int C = spread.C, n = spread.n[spread.C], base = w.base[spread.C]
    cdef int k, stretch, place = 0, top = spread.count[C], twin = -1, equal = equal_suits(w, spread)
    cdef const uint8_t* member
    cdef const uint16_t* x = w.x[C][n][0]
    # the list ends with the previous suit's subset if the two suits are interchangeable
    if w.same[C] and n == spread.n[C - 1] and top > spread.at[C - 1]:
        top = twin = spread.at[C - 1]
    run.inner = base
    run.weight = WEIGHT[w.group][equal]
    while place < top:
        member = MEMBER[n][place]
        stretch = member[1] if n > 1 else w.size[C]
        if stretch > top - place:
            stretch = top - place
        for k in range(1, n):
            outer[k - 1] = base + member[k]
        run.length = stretch
        add_run(w, run, a, b, x + LANES * place)
        place += stretch
    if twin >= 0:
        member = MEMBER[n][twin]
        for k in range(1, n):
            outer[k - 1] = base + member[k]
        run.inner = base + member[0]
        run.length = 1
        run.weight = WEIGHT[w.group][equal + 1]
        add_run(w, run, a, b, x + LANES * twin)


cdef inline void count_spread(Work* w, Star* star, Spread* spread) noexcept nogil:
    """All boards of one spread: the subsets of suit A, of suit B, and runs through those of suit C."""
    cdef int A = spread.A, B = spread.B, i, j, limit
    cdef bint twins = w.same[B] and B - 1 == A and spread.n[A] == spread.n[B]
    cdef Counts still
    cdef Counts by_x
    cdef Counts counts
    cdef uint16_t a[LANES]
    cdef uint16_t b[LANES]
    cdef const uint16_t* x
    cdef int* of_a = &star.run.outer[star.n]
    cdef int* of_b = of_a + spread.n[A]
    cdef int* of_c = of_b + spread.n[B]
    fold_outer(star, spread, &still, &by_x)
    for i in range(spread.count[A]):
        spread.at[A] = i
        list_cards(w, A, spread.n[A], i, of_a)
        x = w.x[A][spread.n[A]][i]
        combin_at(counts.constant, still.constant, by_x.constant, x)
        combin_at(counts.b, still.b, by_x.b, x)
        combin_at(counts.c, still.c, by_x.c, x)
        combin_at(counts.bc, still.bc, by_x.bc, x)
        limit = spread.count[B]
        # of two interchangeable suits the second has no later subset than the first
        if twins and limit > i + 1:
            limit = i + 1
        for j in range(limit):
            spread.at[B] = j
            list_cards(w, B, spread.n[B], j, of_b)
            x = w.x[B][spread.n[B]][j]
            combin_at(a, counts.constant, counts.b, x)
            combin_at(b, counts.c, counts.bc, x)
            add_runs(w, &star.run, spread, of_c, a, b)


cdef inline void count_star(Work* w, int length, int ranks, int suit) noexcept nogil:
    """All boards on which the player's best flush is ``ranks``, held in ``suit``."""
    cdef int n0, n1, rest
    cdef Star star
    cdef Spread spread
    open_star(w, &star, length, ranks, suit)
    rest = BOARD - star.n
    if rest == 0:
        count_board(w, &star)
        return
    spread.n[suit], spread.at[suit] = star.n, star.place
    for n0 in range(rest + 1):
        for n1 in range(rest - n0 + 1):
            spread.n[star.other[0]], spread.n[star.other[1]] = n0, n1
            spread.n[star.other[2]] = rest - n0 - n1
            if limit_suits(w, &star, &spread):
                order_suits(w, &star, &spread)
                count_spread(w, &star, &spread)


cdef inline void pass_flush(uint16_t* x, const uint16_t* subsets, int first, int last) noexcept nogil:
    """Count a flush for its subsets of the wanted numbers of board cards."""
    cdef int i
    for i in range(first, last):
        x[LANES * subsets[i]] += 1


cdef inline void count_length(Work* w, int length, int longest) noexcept nogil:
    """All boards on which the player's best flush has ``length`` cards; ``longest``: of the hole cards."""
    cdef int s, n, index, ranks, first = 0, last = 0
    cdef const uint16_t* subsets[4]
    # the numbers of board cards in a suit without the player's flush for which x matters
    cdef int fewest = length - 3 if length > 3 else 0
    cdef int most = 4 if length <= longest else 4 - length + longest
    if most > length:
        most = length
    if fewest <= most:
        first = UPTO_SIZE[length - 2][fewest]
        last = UPTO_SIZE[length - 2][most + 1]
    for s in range(4):
        w.passed[s] = 0
        for n in range(fewest, most + 1):
            for index in range(BINOMIAL[w.size[s]][n]):
                w.x[s][n][index][BELOW] = 0
                w.x[s][n][index][UPTO] = 0
    for index in range(BINOMIAL[13][length]):
        ranks = MASK[length][index]
        if last > 0:
            for s in range(4):
                subsets[s] = NULL
                if ranks & w.hole[s] == 0:
                    subsets[s] = SUBSETS[length - 2][PLACE[squeeze(w, s, ranks)]]
                    pass_flush(&w.x[s][0][0][UPTO], subsets[s], first, last)
        for s in range(4):
            if w.hole[s] & ~ranks == 0 and length - w.held[s] <= BOARD and not w.same[s]:
                count_star(w, length, ranks, s)
        for s in range(4):
            if last > 0 and subsets[s] != NULL:
                pass_flush(&w.x[s][0][0][BELOW], subsets[s], first, last)
            if w.hole[s] & ~ranks == 0:
                w.passed[s] += 1


cdef inline void count_class(Work* w, const int32_t* hole) noexcept nogil:
    """Fill the runs and words of a class of hole cards."""
    cdef int length, longest
    open_class(w, hole)
    longest = max(max(w.held[0], w.held[1]), max(w.held[2], w.held[3]))
    for length in range(2, longest + BOARD + 1):
        count_length(w, length, longest)


cdef inline Work* allocate() except NULL nogil:
    """Room for one class; the caller frees it."""
    cdef Work* w = <Work*> malloc(sizeof(Work))
    if w == NULL:
        with gil:
            raise MemoryError("a hole class of Chase the Flush needs 5 MB")
    memset(w.raised, 0, sizeof(w.raised))
    return w
