"""Chase the Flush, shared by its kernels: the dealer's hands of every board beside a class of hole cards.

A hand is worth the longest set of cards of one suit in it, compared by length,
then by ranks from the top. Ranks of one suit are a 13-bit mask, so two flushes
of one length compare as integers, and ``length << 13 | ranks`` is a total order.

One class of hole cards at a time; flushes of one length L are passed
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

A module that cimports this has tables of its own and calls `prepare` once.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport malloc
from libc.string cimport memset

cdef enum:
    BOARDS = 211876        # C(49, 4) boards beside one hand of hole cards
    LISTED = 715           # C(13, 4): the longest list of a suit's board cards
    DEALER_HANDS = 14190   # C(45, 3)
    LOW = 0x7F             # ranks two to eight: a three-card flush of these does not qualify
    GRADES = 7             # flush of 2; of 3 below nine high; of 3 from nine high; of 4, 5, 6, 7
    FLUSHES = 5811         # flushes of one to seven cards, shorter and lower ones first

cdef extern from *:
    """
    #include <stdint.h>

    static int BINOMIAL[50][5];
    static uint8_t SIZE[8192];
    static uint16_t PLACE[8192];
    static uint16_t MASK[14][1716];
    static uint8_t MEMBER[5][715][4];
    static int WEIGHT[4][3];
    static int FIRST_FLUSH[8];
    static int32_t PLAIN[14][5][12];
    static uint16_t SUBSETS[4][1287][32];
    static int UPTO_SIZE[4][7];

    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>

    /* a + b * x in 16-bit lanes, two positions at a time; one position may be written beyond the last */
    static inline void combin_fill_run(uint16_t *word, int length,
            const int32_t *a, const int32_t *b, const uint16_t *x) {
        __m128i constant = _mm_set1_epi64x((int64_t)((uint64_t)a[0] | (uint64_t)a[1] << 16 | (uint64_t)a[2] << 32));
        __m128i factor = _mm_set1_epi64x((int64_t)((uint64_t)b[0] | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 32));
        for (int i = 0; i < length; i += 2)
            _mm_storeu_si128((__m128i *)(word + 4 * i), _mm_add_epi16(constant,
                _mm_mullo_epi16(factor, _mm_loadu_si128((const __m128i *)(x + 4 * i)))));
    }
    #else
    static inline void combin_fill_run(uint16_t *word, int length,
            const int32_t *a, const int32_t *b, const uint16_t *x) {
        for (int i = 0; i < length; i++) {
            for (int k = 0; k < 3; k++) word[4 * i + k] = (uint16_t)(a[k] + b[k] * x[4 * i + k]);
            word[4 * i + 3] = 0;
        }
    }
    #endif
    """
    int BINOMIAL[50][5]
    uint8_t SIZE[8192]
    uint16_t PLACE[8192]             # among the masks of equal size, ascending
    uint16_t MASK[14][1716]
    uint8_t MEMBER[5][715][4]        # ranks of a listed subset, ascending
    int WEIGHT[4][3]
    int FIRST_FLUSH[8]               # place of the lowest flush of a length among all flushes
    # eight zeros, then the binomials of unseen cards for fewer than a limit of them
    int32_t PLAIN[14][5][12]
    # the subsets of a flush of two to five cards, smaller ones first, as places in x
    uint16_t SUBSETS[4][1287][32]
    int UPTO_SIZE[4][7]              # how many of them have fewer cards than the last index
    void combin_fill_run(uint16_t* word, int length, const int32_t* a, const int32_t* b,
                         const uint16_t* x) noexcept nogil


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


cdef inline void prepare() noexcept:
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


cdef inline void open_class(Work* w, const int* hole) noexcept nogil:
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


cdef inline void count_board(Work* w, int flush, int grade, int star, const int32_t* below, const int32_t* upto,
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


cdef inline void count_star(Work* w, int length, int ranks, int star) noexcept nogil:
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


cdef inline void count_class(Work* w, const int* hole) noexcept nogil:
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



cdef inline Work* allocate() except NULL nogil:
    """Room for one class; the caller frees it."""
    cdef Work* w = <Work*> malloc(sizeof(Work))
    if w == NULL:
        with gil:
            raise MemoryError("a hole class of Chase the Flush needs 5 MB")
    memset(w.raised, 0, sizeof(w.raised))
    return w


cdef inline int best_flush(const int* hand) noexcept nogil:
    cdef int s, best = 0, flush
    for s in range(4):
        flush = SIZE[hand[s]] << 13 | hand[s]
        if flush > best:
            best = flush
    return best


cdef inline int place_of(int flush) noexcept nogil:
    """The place of ``length << 13 | ranks`` in the order of all flushes."""
    return FIRST_FLUSH[flush >> 13] + PLACE[flush & 0x1FFF]
