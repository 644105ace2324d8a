"""Chase the Flush: every decision of every hand, solved backwards.

A hand is worth the longest set of cards of one suit in it, compared by length,
then by ranks from the top. Ranks of one suit are a 13-bit mask, so two flushes
of one length compare as integers, and ``length << 13 | ranks`` is a total order.

Counting. One class of hole cards at a time; flushes of one length L are passed
in ascending order. A dealer's hand stays below the flush V exactly if each suit
of it does. In a suit with n board cards and u unseen ones, any k < L - n further
cards stay below, k > L - n do not, and of the subsets of k = L - n cards x do.
So the number of dealer hands below V is the coefficient of t^3 in a product of
four polynomials, each plain binomials but for the one number x, and passing V
changes x only for boards that are subsets of V. Boards whose best flush with
the hole cards is V are prefixes of sorted lists, one list a suit. The last board
card runs through one suit while the other three stand still (a `Run`), and along
a run each count is ``a + b * x``. Three counts decide a river position: dealer
hands below V, not above V, and not qualifying; each is at most C(45, 3) = 14,190,
so they are 16-bit lanes of one word.

Suits with the same hole cards are interchangeable: of the boards that differ by
such a permutation one is counted, with its weight.

Deciding. A run adds its river values to the six flops that each board contains;
then the flops choose, then the hole cards; then a second walk over the stored
words adds up what the choices lead to.

Where the time goes. 1,755 classes x 211,876 boards are 372 million river positions,
of which interchangeable suits leave 195 million to be counted, in 29 million runs.
A run costs some 100 cycles to set up and a position 2 to fill (together nearly half
of the time), 8 to value and add to three flops (a quarter: the other three flops of
a board are added to once a run), and 8 to add to the group of its choices (a quarter).
The floor is that every position is valued once and, its flops decided, added once:
memory traffic of some 15 cycles a position, about half of what is spent. What a class
touches (its words, 0.9 MB, and the flops' totals, 38 KB) stays in the second-level
cache or near it; that mattered more than arithmetic.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    BOARDS = 211876        # C(49, 4) boards beside one hand of hole cards
    LISTED = 715           # C(13, 4): the longest list of a suit's board cards
    DEALER_HANDS = 14190   # C(45, 3)
    LOW = 0x7F             # ranks two to eight: a three-card flush of these does not qualify
    GRADES = 7             # flush of 2; of 3 below nine high; of 3 from nine high; of 4, 5, 6, 7
    FLUSHES = 5811         # flushes of one to seven cards, shorter and lower ones first
    GROUPS = 1372          # GRADES * 4 river choices of two tables * 7 * 7 numbers of raised flops

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define COMBIN_FOUR_LANES 1

    /* Lanes: later and raising now, for two tables each. A form is dot products of 16-bit pairs. */
    typedef struct { __m128i constant, below_upto, unqualified, fold, raise_above; } combin_forms;

    static inline void combin_value_run(const combin_forms *f, uint16_t *word, int length,
            int32_t *first, int32_t *second, int32_t *third, int32_t *total_out) {
        __m128i total = _mm_setzero_si128();
        for (int i = 0; i < length; i++, first += 4, second += 4, third += 4) {
            __m128i w = _mm_loadl_epi64((const __m128i *)(word + 4 * i));
            __m128i value = _mm_add_epi32(f->constant, _mm_add_epi32(
                _mm_madd_epi16(_mm_shuffle_epi32(w, 0x00), f->below_upto),
                _mm_madd_epi16(_mm_shuffle_epi32(w, 0x55), f->unqualified)));
            __m128i raises = _mm_cmpgt_epi32(value, f->raise_above);
            __m128i tie = _mm_cmpeq_epi32(value, f->fold);
            word[4 * i + 3] = (uint16_t)((_mm_movemask_ps(_mm_castsi128_ps(raises)) & 3)
                | (_mm_movemask_ps(_mm_castsi128_ps(tie)) & 3) << 2);
            value = _mm_or_si128(_mm_and_si128(raises, value), _mm_andnot_si128(raises, f->fold));
            total = _mm_add_epi32(total, value);
            _mm_storeu_si128((__m128i *)first, _mm_add_epi32(_mm_loadu_si128((__m128i *)first), value));
            _mm_storeu_si128((__m128i *)second, _mm_add_epi32(_mm_loadu_si128((__m128i *)second), value));
            _mm_storeu_si128((__m128i *)third, _mm_add_epi32(_mm_loadu_si128((__m128i *)third), value));
        }
        _mm_storeu_si128((__m128i *)total_out, total);
    }

    /* a + b * x in 16-bit lanes, two positions at a time; one position may be written beyond the last */
    static inline void combin_fill_run(uint16_t *word, int length,
            const int32_t *a, const int32_t *b, const uint16_t *x) {
        __m128i constant = _mm_set1_epi64x((int64_t)((uint64_t)a[0] | (uint64_t)a[1] << 16 | (uint64_t)a[2] << 32));
        __m128i factor = _mm_set1_epi64x((int64_t)((uint64_t)b[0] | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 32));
        for (int i = 0; i < length; i += 2)
            _mm_storeu_si128((__m128i *)(word + 4 * i), _mm_add_epi16(constant,
                _mm_mullo_epi16(factor, _mm_loadu_si128((const __m128i *)(x + 4 * i)))));
    }

    static void combin_set_forms(combin_forms *f, const int32_t constant[4], const int16_t pairs[8],
            const int16_t unqualified[8], const int32_t fold[4], const int32_t raise_above[4]) {
        f->constant = _mm_loadu_si128((const __m128i *)constant);
        f->below_upto = _mm_loadu_si128((const __m128i *)pairs);
        f->unqualified = _mm_loadu_si128((const __m128i *)unqualified);
        f->fold = _mm_loadu_si128((const __m128i *)fold);
        f->raise_above = _mm_loadu_si128((const __m128i *)raise_above);
    }
    static inline void combin_add_counts(uint32_t *sums, const uint16_t *word, int weight) {
        __m128i counts = _mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i *)word), _mm_setzero_si128());
        counts = _mm_or_si128(_mm_and_si128(counts, _mm_set_epi32(0, -1, -1, -1)), _mm_set_epi32(1, 0, 0, 0));
        counts = _mm_madd_epi16(counts, _mm_set1_epi32(weight));
        _mm_storeu_si128((__m128i *)sums, _mm_add_epi32(_mm_loadu_si128((__m128i *)sums), counts));
    }
    #else
    #define COMBIN_FOUR_LANES 0
    typedef struct { int unused; } combin_forms;
    #define combin_value_run(f, word, length, first, second, third, total) ((void)0)
    static inline void combin_fill_run(uint16_t *word, int length,
            const int32_t *a, const int32_t *b, const uint16_t *x) {
        for (int i = 0; i < length; i++) {
            for (int k = 0; k < 3; k++) word[4 * i + k] = (uint16_t)(a[k] + b[k] * x[4 * i + k]);
            word[4 * i + 3] = 0;
        }
    }
    static inline void combin_add_counts(uint32_t *sums, const uint16_t *word, int weight) {
        for (int k = 0; k < 3; k++) sums[k] += (uint32_t)word[k] * (uint32_t)weight;
        sums[3] += (uint32_t)weight;
    }
    #define combin_set_forms(f, constant, pairs, unqualified, fold, raise_above) ((void)0)
    #endif
    """
    const int COMBIN_FOUR_LANES
    ctypedef struct combin_forms:
        pass
    void combin_fill_run(uint16_t* word, int length, const int32_t* a, const int32_t* b,
                         const uint16_t* x) noexcept nogil
    void combin_add_counts(uint32_t* sums, const uint16_t* word, int weight) noexcept nogil
    void combin_value_run(const combin_forms* f, uint16_t* word, int length, int32_t* first, int32_t* second,
                          int32_t* third, int32_t* total) noexcept nogil
    void combin_set_forms(combin_forms* f, const int32_t* constant, const int16_t* pairs,
                          const int16_t* unqualified, const int32_t* fold,
                          const int32_t* raise_above) noexcept nogil


cdef struct Run:
    uint16_t flush         # length << 13 | ranks of the player's best flush
    uint8_t outer[3]       # board cards that stand still, as unseen cards 0..48
    uint8_t inner          # first of the consecutive unseen cards that the fourth runs through
    uint8_t length
    uint8_t grade
    uint8_t weight         # boards that each position stands for

cdef struct Work:
    # one class of hole cards; suits with equal hole cards stand side by side
    int hole[4]
    int held[4]            # cards of the hole in the suit, and their ranks from the top
    int rank[4][3]
    int size[4]            # 13 - held: unseen cards of the suit, numbered from base
    int base[4]
    int same[4]            # 1 where the suit's hole cards are those of the suit before it
    int group              # number of suits in the one group of interchangeable suits, or 1
    # by suit, number of board cards in it, and their place in the list of such subsets
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
    uint32_t grouped[GROUPS][4]

cdef int BINOMIAL[50][5]
cdef uint8_t SIZE[8192]
cdef uint16_t PLACE[8192]            # among the masks of equal size, ascending
cdef uint16_t MASK[14][1716]
cdef uint8_t MEMBER[5][LISTED][4]    # ranks of a listed subset, ascending
cdef int WEIGHT[4][3]
cdef int FIRST_FLUSH[8]              # place of the lowest flush of a length among all flushes
# eight zeros, then the binomials of unseen cards for fewer than a limit of them
cdef int32_t PLAIN[14][5][12]
# the subsets of a flush of two to five cards, smaller ones first, as places in x
cdef uint16_t SUBSETS[4][1287][32]
cdef int UPTO_SIZE[4][7]             # how many of them have fewer cards than the last index


cdef void prepare() noexcept:
    cdef int n, k, mask, m, rank, j
    cdef int seen[14]
    for n in range(50):
        BINOMIAL[n][0] = 1
        for k in range(1, 5):
            BINOMIAL[n][k] = BINOMIAL[n - 1][k - 1] + BINOMIAL[n - 1][k] if n > 0 else 0
    memset(seen, 0, sizeof(seen))
    for mask in range(8192):
        m = 0
        for rank in range(13):
            m += mask >> rank & 1
        SIZE[mask] = m
        PLACE[mask] = seen[m]
        MASK[m][seen[m]] = mask
        if m <= 4:
            j = 0
            for rank in range(13):
                if mask >> rank & 1:
                    MEMBER[m][seen[m]][j] = rank
                    j += 1
        seen[m] += 1
    j = 0
    for m in range(1, 8):
        FIRST_FLUSH[m] = j
        j += seen[m]
    memset(PLAIN, 0, sizeof(PLAIN))
    for n in range(14):
        for k in range(5):
            for j in range(k):
                PLAIN[n][k][8 + j] = BINOMIAL[n][j]
    for n in range(2, 6):
        for k in range(seen[n]):
            j = 0
            for m in range(5):
                UPTO_SIZE[n - 2][m] = j
                mask = MASK[n][k]
                while True:
                    if SIZE[mask] == m:
                        SUBSETS[n - 2][k][j] = m * (LISTED + 1) + PLACE[mask]
                        j += 1
                    if mask == 0:
                        break
                    mask = (mask - 1) & MASK[n][k]
            UPTO_SIZE[n - 2][5] = j
    # permutations of a group of suits over those that change nothing, by pairs of equal neighbours
    WEIGHT[1][0] = 1
    WEIGHT[2][0] = 2
    WEIGHT[2][1] = 1
    WEIGHT[3][0] = 6
    WEIGHT[3][1] = 3
    WEIGHT[3][2] = 1


prepare()


cdef inline int squeeze(const Work* w, int s, int mask) noexcept nogil:
    """The mask with the ranks of the suit's hole cards (which it does not hold) closed up."""
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


cdef void open_class(Work* w, const int* hole) noexcept nogil:
    cdef int s, n, k, place, free_low, at = 0
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
        # squeezed low cards: the first ones of the suit
        free_low = 7 - SIZE[hole[s] & LOW]
        for n in range(5):
            k = BINOMIAL[free_low][n]
            for place in range(BINOMIAL[w.size[s]][n]):
                # the subsets of low cards alone come first
                w.x[s][n][place][2] = BINOMIAL[free_low - n][3 - n] if n < 4 and place < k else 0
                w.x[s][n][place][3] = 0
    w.runs = 0
    w.positions = 0


cdef inline void add_run(
    Work* w, int flush, int grade, int weight, const uint8_t* outer, int inner, int length,
    const int32_t* a, const int32_t* b, const uint16_t* x,
) noexcept nogil:
    cdef Run* run = &w.run[w.runs]
    run.flush = flush
    run.outer[0] = outer[0]
    run.outer[1] = outer[1]
    run.outer[2] = outer[2]
    run.inner = inner
    run.length = length
    run.grade = grade
    run.weight = weight
    combin_fill_run(w.word[w.positions], length, a, b, x)
    w.runs += 1
    w.positions += length


cdef void count_board(Work* w, int flush, int grade, int star, const int32_t* below, const int32_t* upto,
                      const uint8_t* outer) noexcept nogil:
    """The board that the flush's suit holds alone: no other suit of the dealer's can reach the flush."""
    cdef int j, s, equal = 0
    cdef int unseen = 39 - (3 - w.held[star])
    cdef int32_t a[3]
    cdef int32_t b[3]
    a[0] = a[1] = a[2] = b[0] = b[1] = b[2] = 0
    for j in range(4):
        a[0] += below[j] * BINOMIAL[unseen][3 - j]
        a[1] += upto[j] * BINOMIAL[unseen][3 - j]
    for s in range(1, 4):
        if w.same[s] and s - 1 != star:
            equal += 1
    add_run(w, flush, grade, WEIGHT[w.group][equal], outer, outer[3], 1, a, b, w.x[star][0][0])


cdef void count_star(Work* w, int length, int ranks, int star) noexcept nogil:
    """All boards on which the player's best flush is ``ranks``, held in suit ``star``."""
    cdef int grade, n_star, rest, s, i, j, k, v, A, B, C, n0, n1, least, equal, equal_c, limit, top, place, stretch
    cdef int flush = length << 13 | ranks
    cdef int other[3]
    cdef int n[4]
    cdef int count[4]
    cdef int at[4]
    cdef int need[4][2]           # L - n and 3 - n
    cdef int shift_b, shift_c
    cdef const int32_t* base[4][2]
    cdef const int32_t* plain
    cdef int32_t star_poly[3][4]
    cdef int32_t poly[4]
    cdef int32_t product[4]
    cdef int32_t bc[2][4]
    cdef int32_t a0[3]
    cdef int32_t a1[3]
    cdef int32_t b0[3]
    cdef int32_t b1[3]
    cdef int32_t a[3]
    cdef int32_t b[3]
    cdef int32_t x
    cdef const uint16_t* xs
    cdef uint8_t outer[8]
    cdef int from_star, from_a, from_b

    n_star = length - w.held[star]
    rest = 4 - n_star
    if length == 3:
        grade = 2 if ranks & ~LOW else 1
    else:
        grade = 0 if length == 2 else length - 1

    n[star] = n_star
    at[star] = PLACE[squeeze(w, star, ranks & ~w.hole[star])]
    from_star = 0
    for i in range(n_star):
        outer[from_star] = w.base[star] + MEMBER[n_star][at[star]][i]
        from_star += 1

    # the dealer must replace the player's hole cards of the suit by lower ones
    plain = &PLAIN[13 - length][w.held[star]][8]
    if w.held[star] == 0:
        with_x(plain, 0, 0, star_poly[0])
        with_x(plain, 0, 1, star_poly[1])
    else:
        top = w.rank[star][0]
        x = BINOMIAL[top - SIZE[ranks & ((1 << top) - 1)]][w.held[star]]
        with_x(plain, w.held[star], x, star_poly[0])
        with_x(plain, w.held[star], x, star_poly[1])
    if rest == 0:
        count_board(w, flush, grade, star, star_poly[0], star_poly[1], outer)
        return
    with_x(&PLAIN[13 - length][3 - n_star][8], 3 - n_star, w.x[star][n_star][at[star]][2], star_poly[2])

    j = 0
    for s in range(4):
        if s != star:
            other[j] = s
            j += 1

    for n0 in range(rest + 1):
        for n1 in range(rest - n0 + 1):
            n[other[0]] = n0
            n[other[1]] = n1
            n[other[2]] = rest - n0 - n1
            k = 1
            for s in range(1, 4):
                if w.same[s] and n[s] > n[s - 1]:
                    k = 0
            for j in range(3):
                s = other[j]
                if w.held[s] + n[s] > length:
                    k = 0
                elif w.held[s] + n[s] == length:
                    count[s] = w.passed[s]
                    if s > star and w.hole[s] & ~ranks == 0:
                        count[s] += 1
                else:
                    count[s] = BINOMIAL[w.size[s]][n[s]]
                if k and count[s] == 0:
                    k = 0
            if k == 0:
                continue
            for j in range(3):
                s = other[j]
                for v in range(2):
                    k = (3 if v else length) - n[s]
                    base[s][v] = &PLAIN[w.size[s] - n[s]][0 if k < 0 else 4 if k > 4 else k][8]
                    # a limit that no x stands at lies among the zeros
                    need[s][v] = k if 0 <= k <= 3 else 7
            # the inner suit: fewest board cards but one at least, the last of those
            C = other[2]
            least = 5
            for j in range(3):
                if 1 <= n[other[j]] <= least:
                    least = n[other[j]]
                    C = other[j]
            A = other[0] if other[0] != C else other[1]
            B = other[2] if other[2] != C else other[1]
            for v in range(2):
                multiply(base[B][v], base[C][v], bc[v])

            for i in range(count[A]):
                at[A] = i
                from_a = from_star
                for j in range(n[A]):
                    outer[from_a] = w.base[A] + MEMBER[n[A]][i][j]
                    from_a += 1
                xs = w.x[A][n[A]][i]
                for k in range(3):
                    v = k >> 1
                    with_x(base[A][v], need[A][v], xs[k], poly)
                    multiply(star_poly[k], poly, product)
                    shift_b = 3 - need[B][v]
                    shift_c = 3 - need[C][v]
                    a0[k] = 0
                    a1[k] = 0
                    b0[k] = 0
                    for j in range(4):
                        a0[k] += product[j] * bc[v][3 - j]
                        a1[k] += product[j] * base[C][v][shift_b - j]
                        b0[k] += product[j] * base[B][v][shift_c - j]
                    b1[k] = product[shift_b + shift_c - 3] if shift_b + shift_c >= 3 else 0
                limit = count[B]
                if w.same[B] and B - 1 == A and n[A] == n[B] and limit > i + 1:
                    limit = i + 1
                for j in range(limit):
                    at[B] = j
                    from_b = from_a
                    for k in range(n[B]):
                        outer[from_b] = w.base[B] + MEMBER[n[B]][j][k]
                        from_b += 1
                    xs = w.x[B][n[B]][j]
                    for k in range(3):
                        a[k] = a0[k] + a1[k] * xs[k]
                        b[k] = b0[k] + b1[k] * xs[k]
                    equal = 0
                    if w.group > 1:
                        for s in range(1, 4):
                            if w.same[s] and s != C and s - 1 != C and n[s] == n[s - 1] and at[s] == at[s - 1]:
                                equal += 1
                    # a board card of C that repeats an interchangeable suit ends the list
                    top = count[C]
                    equal_c = -1
                    if w.same[C] and n[C] == n[C - 1] and top > at[C - 1]:
                        equal_c = at[C - 1]
                        top = equal_c
                    place = 0
                    while place < top:
                        stretch = MEMBER[n[C]][place][1] if n[C] > 1 else w.size[C]
                        if stretch > top - place:
                            stretch = top - place
                        for k in range(1, n[C]):
                            outer[from_b + k - 1] = w.base[C] + MEMBER[n[C]][place][k]
                        add_run(w, flush, grade, WEIGHT[w.group][equal], outer, w.base[C], stretch, a, b,
                                w.x[C][n[C]][place])
                        place += stretch
                    if equal_c >= 0:
                        for k in range(1, n[C]):
                            outer[from_b + k - 1] = w.base[C] + MEMBER[n[C]][equal_c][k]
                        add_run(w, flush, grade, WEIGHT[w.group][equal + 1], outer,
                                w.base[C] + MEMBER[n[C]][equal_c][0], 1, a, b, w.x[C][n[C]][equal_c])


cdef inline void pass_flush(uint16_t* x, const uint16_t* subsets, int first, int last) noexcept nogil:
    """Count a flush for its subsets of the wanted numbers of board cards."""
    cdef int i
    for i in range(first, last):
        x[4 * subsets[i]] += 1


cdef void count_class(Work* w, const int* hole) noexcept nogil:
    """Fill the runs and words of a class of hole cards."""
    cdef int length, s, n, index, ranks, longest = 0, fewest, most, total, first, last
    cdef const uint16_t* subsets[4]
    open_class(w, hole)
    for s in range(4):
        if w.held[s] > longest:
            longest = w.held[s]
    for length in range(2, longest + 5):
        # board cards that a suit without the player's flush can have while x matters there
        fewest = length - 3 if length > 3 else 0
        most = 4 if length <= longest else 4 - length + longest
        if most > length:
            most = length
        first = last = 0
        if fewest <= most:
            first = UPTO_SIZE[length - 2][fewest]
            last = UPTO_SIZE[length - 2][most + 1]
        for s in range(4):
            w.passed[s] = 0
            for n in range(fewest, most + 1):
                for index in range(BINOMIAL[w.size[s]][n]):
                    w.x[s][n][index][0] = 0
                    w.x[s][n][index][1] = 0
        total = 78 if length == 2 else 286 if length == 3 else 715 if length == 4 else 1287 if length == 5 else 1716
        for index in range(total):
            ranks = MASK[length][index]
            if last > 0:
                for s in range(4):
                    subsets[s] = NULL
                    if ranks & w.hole[s] == 0:
                        subsets[s] = SUBSETS[length - 2][PLACE[squeeze(w, s, ranks)]]
                        pass_flush(&w.x[s][0][0][1], subsets[s], first, last)
            for s in range(4):
                if w.hole[s] & ~ranks == 0 and length - w.held[s] <= 4 and not w.same[s]:
                    count_star(w, length, ranks, s)
            for s in range(4):
                if last > 0 and subsets[s] != NULL:
                    pass_flush(&w.x[s][0][0][0], subsets[s], first, last)
                if w.hole[s] & ~ranks == 0:
                    w.passed[s] += 1


cdef void coefficients(const int64_t* utility, int grade, int64_t* out) noexcept nogil:
    """The utility [dealer qualifies][lose, tie, win][flush length] of a choice as a linear form.

    Summed over a river position's dealer hands it is ``out[0] + out[1] * below +
    out[2] * upto + out[3] * unqualified``.
    """
    cdef int f = grade if grade < 2 else grade - 1
    cdef const int64_t* u = utility + f
    # u[18 * qualifies + 6 * result]
    out[0] = DEALER_HANDS * u[18]
    if grade < 2:
        out[1] = u[12] - u[6]
        out[2] = u[6] - u[0]
        out[3] = u[0] - u[18]
    else:
        out[1] = u[30] - u[24]
        out[2] = u[24] - u[18]
        out[3] = u[12] - u[30]


cdef enum:
    NARROW = 2700          # utilities up to this, six times, differ by less than 2^15
    FLOP_BOARDS = 6486     # 6 * C(47, 2): boards counted for one flop at most


cdef void widen(Work* w) noexcept nogil:
    """Move the 32-bit parts of the flops' totals to the 64-bit ones."""
    cdef int32_t* narrow = &w.narrow[0][0][0]
    cdef int64_t* wide = &w.flop[0][0][0][0]
    cdef int i
    for i in range(49 * 49 * 4):
        wide[i] += narrow[i]
        narrow[i] = 0


cdef void value_flops(Work* w, const int64_t[:, :, :, :, ::1] utility, int tie) noexcept nogil:
    """Sum over each flop's river positions the value of choosing later and of raising now, for two tables.

    Marks the river choice of every word: bits 0, 1 raise, 2, 3 exact tie.
    """
    cdef int64_t c[2][2][GRADES][4]
    cdef int64_t fold[2][GRADES]
    cdef int64_t most[GRADES]
    cdef int64_t largest = 0
    cdef int table, grade, f, q, i
    for grade in range(GRADES):
        most[grade] = 0
        f = grade if grade < 2 else grade - 1
        for table in range(2):
            coefficients(&utility[table, 2, 0, 0, 0], grade, c[table][0][grade])
            coefficients(&utility[table, 1, 0, 0, 0], grade, c[table][1][grade])
            fold[table][grade] = DEALER_HANDS * utility[table, 3, 0, 0, f]
            for q in range(1, 4):
                for i in range(6):
                    most[grade] = max(most[grade], utility[table, q, i // 3, i % 3, f])
                    most[grade] = max(most[grade], -utility[table, q, i // 3, i % 3, f])
        largest = max(largest, most[grade])
    memset(w.flop, 0, sizeof(w.flop))
    if COMBIN_FOUR_LANES and largest <= NARROW:
        value_narrow(w, c, fold, most, tie)
    else:
        value_wide(w, c, fold, tie)


cdef void value_narrow(
    Work* w, int64_t[2][2][GRADES][4] c, int64_t[2][GRADES] fold, const int64_t* most, int tie
) noexcept nogil:
    """`value_flops` with four 32-bit lanes, for small utilities."""
    cdef combin_forms forms[GRADES][7]
    cdef int32_t constant[4]
    cdef int32_t folded[4]
    cdef int32_t above[4]
    cdef int16_t pairs[8]
    cdef int16_t unqualified[8]
    cdef int32_t total[4]
    cdef int grade, weight, lane, r, a, b, d
    cdef int64_t room = 1 << 30, spent
    cdef int64_t* form
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    for grade in range(GRADES):
        for weight in range(1, 7):
            for lane in range(4):
                form = c[lane & 1][lane >> 1][grade]
                constant[lane] = weight * form[0]
                pairs[2 * lane] = weight * form[1]
                pairs[2 * lane + 1] = weight * form[2]
                unqualified[2 * lane] = weight * form[3]
                unqualified[2 * lane + 1] = 0
                folded[lane] = above[lane] = -0x7FFFFFFF
                if lane < 2:
                    folded[lane] = weight * fold[lane][grade]
                    above[lane] = folded[lane] - tie
            combin_set_forms(&forms[grade][weight], constant, pairs, unqualified, folded, above)
    memset(w.narrow, 0, sizeof(w.narrow))
    for r in range(w.runs):
        run = &w.run[r]
        # half of the 31 bits hold all boards of the small utilities; the others are watched
        if FLOP_BOARDS * DEALER_HANDS * most[run.grade] > 1 << 30:
            spent = run.weight * run.length * DEALER_HANDS * most[run.grade]
            if spent > room:
                widen(w)
                room = 1 << 30
            room -= spent
        combin_value_run(
            &forms[run.grade][run.weight], word, run.length, w.narrow[run.outer[0]][run.inner],
            w.narrow[run.outer[1]][run.inner], w.narrow[run.outer[2]][run.inner], total,
        )
        for lane in range(4):
            w.narrow[run.outer[0]][run.outer[1]][lane] += total[lane]
            w.narrow[run.outer[0]][run.outer[2]][lane] += total[lane]
            w.narrow[run.outer[1]][run.outer[2]][lane] += total[lane]
        word += 4 * run.length
    widen(w)


cdef void value_wide(Work* w, int64_t[2][2][GRADES][4] c, int64_t[2][GRADES] fold, int tie) noexcept nogil:
    """`value_flops` in 64 bits, for any utilities and any processor."""
    cdef int table, i, r, k, card
    cdef int64_t below, upto, unqualified, later, now
    cdef int64_t total[2][2]
    cdef int64_t* form
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    for r in range(w.runs):
        run = &w.run[r]
        memset(total, 0, sizeof(total))
        for i in range(run.length):
            below = word[4 * i]
            upto = word[4 * i + 1]
            unqualified = word[4 * i + 2]
            card = run.inner + i
            for table in range(2):
                form = c[table][0][run.grade]
                later = form[0] + form[1] * below + form[2] * upto + form[3] * unqualified
                form = c[table][1][run.grade]
                now = form[0] + form[1] * below + form[2] * upto + form[3] * unqualified
                if later == fold[table][run.grade]:
                    word[4 * i + 3] |= (4 + tie) << table
                elif later > fold[table][run.grade]:
                    word[4 * i + 3] |= 1 << table
                else:
                    later = fold[table][run.grade]
                later *= run.weight
                now *= run.weight
                total[0][table] += later
                total[1][table] += now
                for k in range(3):
                    w.flop[run.outer[k]][card][0][table] += later
                    w.flop[run.outer[k]][card][1][table] += now
        for table in range(2):
            for k in range(2):
                w.flop[run.outer[0]][run.outer[1]][k][table] += total[k][table]
                w.flop[run.outer[0]][run.outer[2]][k][table] += total[k][table]
                w.flop[run.outer[1]][run.outer[2]][k][table] += total[k][table]
        word += 4 * run.length


cdef int images(Work* w, int* image) noexcept nogil:
    """The permutations of unseen cards that leave the hole cards as they are; returns their number."""
    cdef int first = 0, s, card, k, place, number = 1
    cdef int order[6][3]
    cdef int suit, target
    for k in range(6):
        order[k][0] = k // 2
        order[k][1] = (k // 2 + 1 + k % 2) % 3
        order[k][2] = (k // 2 + 2 - k % 2) % 3
    if w.group == 2:
        number = 2
        order[1][0] = 1
        order[1][1] = 0
    elif w.group == 3:
        number = 6
    for s in range(3, -1, -1):
        if w.same[s]:
            first = s - 1
    for k in range(number):
        for suit in range(4):
            target = suit
            if w.group > 1 and first <= suit < first + w.group:
                target = first + order[k][suit - first]
            for place in range(w.size[suit]):
                image[49 * k + w.base[suit] + place] = w.base[target] + place
    return number


cdef void choose_flops(Work* w, int64_t* out, int64_t* flop_ties) noexcept nogil:
    """Let every flop choose; ``out[table]`` is the value of checking the hole cards."""
    cdef int image[6 * 49]
    cdef int number, a, b, x, y, k, table, best, code, orbit
    cdef int64_t early, late
    cdef int64_t whole[2][2]
    number = images(w, image)
    # one total for both orders of the two cards
    for a in range(49):
        for b in range(a + 1, 49):
            for k in range(2):
                for table in range(2):
                    w.flop[a][b][k][table] += w.flop[b][a][k][table]
    for table in range(2):
        out[table] = 0
        flop_ties[table] = 0
    for a in range(49):
        for b in range(a + 1, 49):
            # the least image stands for all; a board was counted through one image of it
            best = 49 * a + b
            for k in range(1, number):
                x = image[49 * k + a]
                y = image[49 * k + b]
                if x > y:
                    x, y = y, x
                if 49 * x + y < best:
                    best = 49 * x + y
            if best < 49 * a + b:
                w.raised[a][b] = w.raised[best // 49][best % 49]
                w.raised[b][a] = w.raised[a][b]
                continue
            orbit = 0
            memset(whole, 0, sizeof(whole))
            for k in range(number):
                x = image[49 * k + a]
                y = image[49 * k + b]
                if x > y:
                    x, y = y, x
                if not seen_before(image, k, a, b, x, y):
                    orbit += 1
                    for table in range(2):
                        whole[0][table] += w.flop[x][y][0][table]
                        whole[1][table] += w.flop[x][y][1][table]
            code = 0
            for table in range(2):
                late = whole[0][table]
                early = whole[1][table]
                if early > late:
                    code += 1 if table == 0 else 7
                    out[table] += early
                else:
                    out[table] += late
                    if early == late:
                        flop_ties[table] += orbit
            w.raised[a][b] = code
            w.raised[b][a] = code


cdef inline bint seen_before(const int* image, int k, int a, int b, int x, int y) noexcept nogil:
    """Whether an earlier permutation than ``k`` takes the cards a, b to x, y (x < y) too."""
    cdef int j, p, q
    for j in range(k):
        p = image[49 * j + a]
        q = image[49 * j + b]
        if (p == x and q == y) or (p == y and q == x):
            return True
    return False


cdef void group_words(Work* w, int64_t* river_ties) noexcept nogil:
    """Add up the counts by grade, river choices and number of raised flops among the board's six."""
    cdef int i, r, fixed, base, weight, flops, marks
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    cdef const uint8_t* first
    cdef const uint8_t* second
    cdef const uint8_t* third
    memset(w.grouped, 0, sizeof(w.grouped))
    river_ties[0] = 0
    river_ties[1] = 0
    for r in range(w.runs):
        run = &w.run[r]
        first = w.raised[run.outer[0]] + run.inner
        second = w.raised[run.outer[1]] + run.inner
        third = w.raised[run.outer[2]] + run.inner
        fixed = (w.raised[run.outer[0]][run.outer[1]] + w.raised[run.outer[0]][run.outer[2]]
                 + w.raised[run.outer[1]][run.outer[2]])
        base = 4 * 49 * run.grade
        weight = run.weight
        for i in range(run.length):
            flops = fixed + first[i] + second[i] + third[i]
            marks = word[3]
            # at most 14,190 * 211,876 = 3,006,520,440 each, below 2^32
            combin_add_counts(w.grouped[base + 49 * (marks & 3) + flops], word, weight)
            if marks >> 2:
                if marks & 4:
                    river_ties[0] += weight * (6 - flops % 7)
                if marks & 8:
                    river_ties[1] += weight * (6 - flops // 7)
            word += 4


cdef inline void settle(const uint32_t* counts, int grade, int64_t times, int64_t* joint) noexcept nogil:
    """Add ``times`` the dealer hands of a group to a choice's [qualifies][result][length] cells."""
    cdef int64_t below = counts[0], upto = counts[1], unqualified = counts[2]
    cdef int64_t hands = DEALER_HANDS * <int64_t> counts[3]
    cdef int64_t* cell = joint + (grade if grade < 2 else grade - 1)
    if grade < 2:
        cell[0] += times * (unqualified - upto)
        cell[6] += times * (upto - below)
        cell[12] += times * below
        cell[18] += times * (hands - unqualified)
    else:
        cell[12] += times * unqualified
        cell[18] += times * (hands - upto)
        cell[24] += times * (upto - below)
        cell[30] += times * (below - unqualified)


cdef void settle_groups(Work* w, int table, bint first, int64_t* joint) noexcept nogil:
    """Add the class to the joint cells of a table (or strategy) whose hole cards raise where ``first``."""
    cdef int group, grade, raised, choice
    cdef uint32_t* counts
    for group in range(GROUPS):
        counts = w.grouped[group]
        if counts[3] == 0:
            continue
        grade = group // (4 * 49)
        if first:
            settle(counts, grade, 6, joint)
            continue
        raised = group % 7 if table == 0 else group // 7 % 7
        choice = 2 if group // 49 >> table & 1 else 3
        settle(counts, grade, raised, joint + 36)
        settle(counts, grade, 6 - raised, joint + 36 * choice)


def solve_classes(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility, bint raise_ties,
    int64_t[:, :, ::1] values, int64_t[:, :, :, :, :, ::1] joint, int64_t[:, :, ::1] ties,
):
    """Play the hole classes start to stop optimally, for two utility tables at once.

    ``holes``: four masks of hole cards a class, equal masks side by side.
    ``utility``: [table][3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2],
    at most 50,000,000 in size: a class has 6 * 211,876 * 14,190 = 1.8e10 deals, and a sum of four terms
    of up to twice the utility over them must stay below 2^63;
    a fold's depends on the length alone.
    ``values``: [class][table][raised at once, checked]; ``joint``: [class][table] and as the utility;
    ``ties``: [class][table][hole cards, flops, rivers], a flop only where the hole cards check, a river
    only where the flop checks too. Every entry is for one hand of the class.
    """
    cdef Work* w
    cdef int item, s, table, grade, group, first
    cdef int hole[4]
    cdef int64_t later[2]
    cdef int64_t flop_ties[2]
    cdef int64_t river_ties[2]
    cdef int64_t c[4]
    cdef int64_t early
    cdef uint32_t* counts
    with nogil:
        w = <Work*> malloc(sizeof(Work))
        if w == NULL:
            with gil:
                raise MemoryError("a hole class of Chase the Flush needs 5 MB")
        for item in range(start, stop):
            for s in range(4):
                hole[s] = holes[item, s]
            count_class(w, hole)
            value_flops(w, utility, raise_ties)
            choose_flops(w, later, flop_ties)
            group_words(w, river_ties)
            for table in range(2):
                early = 0
                for grade in range(GRADES):
                    coefficients(&utility[table, 0, 0, 0, 0], grade, c)
                    for group in range(4 * 49 * grade, 4 * 49 * (grade + 1)):
                        counts = w.grouped[group]
                        early += 6 * (c[0] * counts[3] + c[1] * counts[0] + c[2] * counts[1] + c[3] * counts[2])
                values[item, table, 0] = early
                values[item, table, 1] = later[table]
                first = early > later[table]
                ties[item, table, 0] = early == later[table]
                if not first:
                    ties[item, table, 1] = flop_ties[table]
                    ties[item, table, 2] = river_ties[table]
                settle_groups(w, table, first, &joint[item, table, 0, 0, 0, 0])
        free(w)


cdef inline int place_of(int flush) noexcept nogil:
    return FIRST_FLUSH[flush >> 13] + PLACE[flush & 0x1FFF]


cdef void flop_flushes(Work* w, int (*place)[49]) noexcept nogil:
    """For each pair of unseen cards, the place of the best flush of the hole cards and the pair."""
    cdef int suit[49]
    cdef int bit[49]
    cdef int hand[4]
    cdef int s, rank, card = 0, x, y
    for s in range(4):
        for rank in range(13):
            if not w.hole[s] >> rank & 1:
                suit[card] = s
                bit[card] = 1 << rank
                card += 1
    for x in range(49):
        for y in range(x):
            for s in range(4):
                hand[s] = w.hole[s]
            hand[suit[x]] |= bit[x]
            hand[suit[y]] |= bit[y]
            place[x][y] = place[y][x] = place_of(best_flush(hand))


cdef void mark_threats(Work* w) noexcept nogil:
    """Mark every word by what the board holds against the player's flush.

    2: two board cards of one suit above the flush's top card; 1: otherwise, two of
    one suit of which the higher is above it; 0: neither.
    """
    cdef int suit[49]
    cdef int bit[49]
    cdef int board[4]
    cdef int s, rank, card = 0, r, i, k, high, mark, fixed, inner
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    for s in range(4):
        for rank in range(13):
            if not w.hole[s] >> rank & 1:
                suit[card] = s
                bit[card] = 1 << rank
                card += 1
    for r in range(w.runs):
        run = &w.run[r]
        # above the top card of the flush
        high = run.flush & 0x1FFF
        high |= high >> 1
        high |= high >> 2
        high |= high >> 4
        high |= high >> 8
        high = 0x1FFF & ~high
        board[0] = board[1] = board[2] = board[3] = 0
        for k in range(3):
            board[suit[run.outer[k]]] |= bit[run.outer[k]]
        inner = suit[run.inner]
        fixed = 0
        for s in range(4):
            if s != inner:
                fixed = max(fixed, threat(board[s], high))
        for i in range(run.length):
            mark = threat(board[inner] | bit[run.inner + i], high)
            word[4 * i + 3] = mark if mark > fixed else fixed
        word += 4 * run.length


cdef inline int threat(int board, int high) noexcept nogil:
    if SIZE[board] < 2 or board & high == 0:
        return 0
    return 2 if SIZE[board & high] >= 2 else 1


def play_classes(
    const int32_t[:, ::1] holes, int start, int stop, const uint8_t[:, ::1] at_once, const uint8_t[:, ::1] flop,
    const uint8_t[:, :, ::1] river, int64_t[:, :, :, :, :, ::1] joint,
):
    """Play the hole classes start to stop by two given strategies.

    ``at_once``: [strategy][class], whether 3x is raised; ``flop``: [strategy][place of the best
    flush of five cards]; ``river``: [strategy][threat, see `mark_threats`][place of the best
    flush of seven]. ``joint`` as in `solve_classes`, [class][strategy].
    """
    cdef Work* w
    cdef int item, s, x, y, r, i, place
    cdef int hole[4]
    cdef int places[49][49]
    cdef int64_t unused[2]
    cdef uint16_t* word
    with nogil:
        w = <Work*> malloc(sizeof(Work))
        if w == NULL:
            with gil:
                raise MemoryError("a hole class of Chase the Flush needs 5 MB")
        for item in range(start, stop):
            for s in range(4):
                hole[s] = holes[item, s]
            count_class(w, hole)
            mark_threats(w)
            flop_flushes(w, places)
            for x in range(49):
                for y in range(49):
                    if x != y:
                        w.raised[x][y] = flop[0, places[x][y]] + 7 * flop[1, places[x][y]]
            word = w.word[0]
            for r in range(w.runs):
                place = place_of(w.run[r].flush)
                for i in range(w.run[r].length):
                    word[3] = river[0, word[3], place] + 2 * river[1, word[3], place]
                    word += 4
            group_words(w, unused)
            for s in range(2):
                settle_groups(w, s, at_once[s, item], &joint[item, s, 0, 0, 0, 0])
        free(w)


def value_early(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility,
    const int64_t[::1] weight, const int32_t[::1] row, int64_t[:, :, ::1] out,
):
    """Sum utilities by the place of the flop's flush, over hands of a class times ``weight``.

    ``out``: [row of the class][place of the best flush of five cards][raised 2x, best later play,
    number of flops].
    ``utility`` as in `solve_classes`; the second table is not used. A sum over all deals
    of the game stays below 2^63 for utilities up to 20,000.
    """
    cdef Work* w
    cdef int item, s, x, y
    cdef int hole[4]
    cdef int places[49][49]
    with nogil:
        w = <Work*> malloc(sizeof(Work))
        if w == NULL:
            with gil:
                raise MemoryError("a hole class of Chase the Flush needs 5 MB")
        for item in range(start, stop):
            for s in range(4):
                hole[s] = holes[item, s]
            count_class(w, hole)
            value_flops(w, utility, False)
            flop_flushes(w, places)
            for x in range(49):
                for y in range(49):
                    if x != y:
                        out[row[item], places[x][y], 0] += weight[item] * w.flop[x][y][1][0]
                        out[row[item], places[x][y], 1] += weight[item] * w.flop[x][y][0][0]
                        if x < y:
                            out[row[item], places[x][y], 2] += weight[item]
        free(w)


def value_rivers(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility,
    const int64_t[::1] weight, const int32_t[::1] column, const uint8_t[::1] kind, int64_t[:, :, ::1] out,
):
    """Sum what raising 1x gains over folding, by what a strategy may look at.

    ``out``: [place of the flush of seven][column of the flop's flush][``kind``, 0 or 1, of the
    threat, see `mark_threats`]. A flop whose column is negative is left out. Utilities up to 20,000.
    """
    cdef Work* w
    cdef int item, s, x, y, r, i, k, place, grade
    cdef int hole[4]
    cdef int places[49][49]
    cdef int64_t form[GRADES][4]
    cdef int64_t gain
    cdef int64_t sums[2]
    cdef Run* run
    cdef uint16_t* word
    with nogil:
        w = <Work*> malloc(sizeof(Work))
        if w == NULL:
            with gil:
                raise MemoryError("a hole class of Chase the Flush needs 5 MB")
        for grade in range(GRADES):
            coefficients(&utility[0, 2, 0, 0, 0], grade, form[grade])
            form[grade][0] -= DEALER_HANDS * utility[0, 3, 0, 0, grade if grade < 2 else grade - 1]
        for item in range(start, stop):
            for s in range(4):
                hole[s] = holes[item, s]
            count_class(w, hole)
            mark_threats(w)
            flop_flushes(w, places)
            for x in range(49):
                for y in range(49):
                    if x != y:
                        places[x][y] = column[places[x][y]]
            word = w.word[0]
            for r in range(w.runs):
                run = &w.run[r]
                place = place_of(run.flush)
                sums[0] = sums[1] = 0
                for i in range(run.length):
                    gain = (form[run.grade][0] + form[run.grade][1] * word[0] + form[run.grade][2] * word[1]
                            + form[run.grade][3] * word[2])
                    gain *= run.weight * weight[item]
                    sums[kind[word[3]]] += gain
                    for k in range(3):
                        x = places[run.outer[k]][run.inner + i]
                        if x >= 0:
                            out[place, x, kind[word[3]]] += gain
                    word += 4
                for k in range(3):
                    x = places[run.outer[k // 2]][run.outer[1 + (k + 1) // 2]]
                    if x >= 0:
                        out[place, x, 0] += sums[0]
                        if out.shape[2] > 1:
                            out[place, x, 1] += sums[1]
        free(w)


cdef int beaten(int unseen, int board, int k, int ranks, bint equal) noexcept nogil:
    """How many sets of k unseen cards make a flush below ``ranks`` with the board (or equal to it)."""
    cdef int total = 0, i, part
    for i in range(BINOMIAL[13][k]):
        part = MASK[k][i]
        if part & ~unseen == 0:
            total += (part | board) < ranks or (equal and (part | board) == ranks)
    return total


cdef int dealer_below(const int* hole, const int* board, int length, int ranks, bint equal) noexcept nogil:
    """Dealer hands whose best flush is below ``ranks`` (or equal to it), suit by suit."""
    cdef int s, k, need, unseen
    cdef int32_t product[4]
    cdef int32_t poly[4]
    cdef int32_t result[4]
    product[0] = 1
    product[1] = product[2] = product[3] = 0
    for s in range(4):
        need = length - SIZE[board[s]]
        unseen = 0x1FFF & ~(hole[s] | board[s])
        with_x(&PLAIN[SIZE[unseen]][0 if need < 0 else 4 if need > 4 else need][8], need,
               beaten(unseen, board[s], need, ranks, equal) if 0 <= need <= 3 else 0, poly)
        multiply(product, poly, result)
        for k in range(4):
            product[k] = result[k]
    return product[3]


def count_dealer(const int32_t[:, ::1] holes, const int32_t[:, ::1] boards, int64_t[:, ::1] out):
    """For each hand of three cards and board of four, masks by suit, the flush and the dealer's hands.

    ``out``: [position][flush as length << 13 | ranks, hands below it, not above it, not qualifying].
    """
    cdef int item, s, best
    cdef int hole[4]
    cdef int board[4]
    with nogil:
        for item in range(holes.shape[0]):
            best = 0
            for s in range(4):
                hole[s] = holes[item, s]
                board[s] = boards[item, s]
                if SIZE[hole[s] | board[s]] << 13 | hole[s] | board[s] > best:
                    best = SIZE[hole[s] | board[s]] << 13 | hole[s] | board[s]
            out[item, 0] = best
            out[item, 1] = dealer_below(hole, board, best >> 13, best & 0x1FFF, False)
            out[item, 2] = dealer_below(hole, board, best >> 13, best & 0x1FFF, True)
            out[item, 3] = dealer_below(hole, board, 3, LOW + 1, False)


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
                        out[item, 3] += flush < (3 << 13 | 1 << 7)


cdef inline int best_flush(const int* hand) noexcept nogil:
    cdef int s, best = 0, flush
    for s in range(4):
        flush = SIZE[hand[s]] << 13 | hand[s]
        if flush > best:
            best = flush
    return best


def follow_classes(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility, bint raise_ties,
    const uint8_t[::1] at_once, const int64_t[::1] weight, int64_t[:, ::1] flops, int64_t[:, :, :, ::1] ends,
):
    """Play the hole classes start to stop optimally and count by what the player sees, times ``weight``.

    ``at_once``: [class], whether 3x is raised. ``flops``: [place of the best flush of five cards][checked,
    raised], only where the hole cards check. ``ends``: [place of the best flush of seven][threat, see
    `mark_threats`][3x, 2x, 1x, fold][dealer hands below it, not above it, not qualifying; positions], a
    position once for each flop of its board. The first table of ``utility`` is played, see `solve_classes`.
    A sum is at most the 4.0e14 deals of the game.
    """
    cdef Work* w
    cdef uint8_t* raises
    cdef int item, s, x, y, r, i, k, place, raised, fixed, at
    cdef int hole[4]
    cdef int places[49][49]
    cdef int64_t unused[2]
    cdef int64_t each
    cdef Run* run
    cdef uint16_t* word
    with nogil:
        w = <Work*> malloc(sizeof(Work))
        raises = <uint8_t*> malloc(BOARDS)
        if w == NULL or raises == NULL:
            free(w)
            free(raises)
            with gil:
                raise MemoryError("a hole class of Chase the Flush needs 5 MB")
        for item in range(start, stop):
            for s in range(4):
                hole[s] = holes[item, s]
            count_class(w, hole)
            if not at_once[item]:
                value_flops(w, utility, raise_ties)
                choose_flops(w, unused, unused)
                flop_flushes(w, places)
                for x in range(49):
                    for y in range(x):
                        flops[places[x][y], w.raised[x][y] % 7] += weight[item]
            at = 0
            for r in range(w.runs):
                for i in range(w.run[r].length):
                    raises[at] = w.word[at][3] & 1
                    at += 1
            mark_threats(w)
            at = 0
            for r in range(w.runs):
                run = &w.run[r]
                place = place_of(run.flush)
                each = run.weight * weight[item]
                fixed = 0
                for k in range(3):
                    fixed += w.raised[run.outer[k // 2]][run.outer[1 + (k + 1) // 2]] % 7
                for i in range(run.length):
                    word = w.word[at]
                    if at_once[item]:
                        follow(&ends[place, word[3], 0, 0], word, 6 * each)
                    else:
                        raised = fixed
                        for k in range(3):
                            raised += w.raised[run.outer[k]][run.inner + i] % 7
                        follow(&ends[place, word[3], 1, 0], word, raised * each)
                        follow(&ends[place, word[3], 2 if raises[at] else 3, 0], word, (6 - raised) * each)
                    at += 1
        free(w)
        free(raises)


cdef inline void follow(int64_t* cell, const uint16_t* word, int64_t times) noexcept nogil:
    cell[0] += times * word[0]
    cell[1] += times * word[1]
    cell[2] += times * word[2]
    cell[3] += times
