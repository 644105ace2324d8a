"""Chase the Flush, shared by its kernels: what river positions are worth, and what flops choose.

A run adds its river values to the six flops that each board contains; then the flops choose.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

from chase_the_flush_boards cimport DEALER_HANDS, GRADES, Run, Work

cdef enum:
    NARROW = 2700          # utilities up to this, six times, differ by less than 2^15
    FLOP_BOARDS = 6486     # 6 * C(47, 2): boards counted for one flop at most

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

    static void combin_set_forms(combin_forms *f, const int32_t constant[4], const int16_t pairs[8],
            const int16_t unqualified[8], const int32_t fold[4], const int32_t raise_above[4]) {
        f->constant = _mm_loadu_si128((const __m128i *)constant);
        f->below_upto = _mm_loadu_si128((const __m128i *)pairs);
        f->unqualified = _mm_loadu_si128((const __m128i *)unqualified);
        f->fold = _mm_loadu_si128((const __m128i *)fold);
        f->raise_above = _mm_loadu_si128((const __m128i *)raise_above);
    }
    #else
    #define COMBIN_FOUR_LANES 0
    typedef struct { int unused; } combin_forms;
    #define combin_value_run(f, word, length, first, second, third, total) ((void)0)
    #define combin_set_forms(f, constant, pairs, unqualified, fold, raise_above) ((void)0)
    #endif
    """
    const int COMBIN_FOUR_LANES
    ctypedef struct combin_forms:
        pass
    void combin_value_run(const combin_forms* f, uint16_t* word, int length, int32_t* first, int32_t* second,
                          int32_t* third, int32_t* total) noexcept nogil
    void combin_set_forms(combin_forms* f, const int32_t* constant, const int16_t* pairs,
                          const int16_t* unqualified, const int32_t* fold,
                          const int32_t* raise_above) noexcept nogil


cdef inline void coefficients(const int64_t* utility, int grade, int64_t* out) noexcept nogil:
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

cdef inline void widen(Work* w) noexcept nogil:
    """Move the 32-bit parts of the flops' totals to the 64-bit ones."""
    cdef int32_t* narrow = &w.narrow[0][0][0]
    cdef int64_t* wide = &w.flop[0][0][0][0]
    cdef int i
    for i in range(49 * 49 * 4):
        wide[i] += narrow[i]
        narrow[i] = 0


cdef inline void value_flops(Work* w, const int64_t* utility, int tie) noexcept nogil:
    """Sum over each flop's river positions the value of choosing later and of raising now, for two tables.

    ``utility``: [table][3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2].
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
            coefficients(utility + 144 * table + 72, grade, c[table][0][grade])
            coefficients(utility + 144 * table + 36, grade, c[table][1][grade])
            fold[table][grade] = DEALER_HANDS * utility[144 * table + 108 + f]
            for q in range(1, 4):
                for i in range(6):
                    most[grade] = max(most[grade], utility[144 * table + 36 * q + 6 * i + f])
                    most[grade] = max(most[grade], -utility[144 * table + 36 * q + 6 * i + f])
        largest = max(largest, most[grade])
    memset(w.flop, 0, sizeof(w.flop))
    if COMBIN_FOUR_LANES and largest <= NARROW:
        value_narrow(w, c, fold, most, tie)
    else:
        value_wide(w, c, fold, tie)


cdef inline void value_narrow(
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


cdef inline void value_wide(Work* w, int64_t[2][2][GRADES][4] c, int64_t[2][GRADES] fold, int tie) noexcept nogil:
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


cdef inline int images(Work* w, int* image) noexcept nogil:
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


cdef inline void choose_flops(Work* w, int64_t* out, int64_t* flop_ties) noexcept nogil:
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

