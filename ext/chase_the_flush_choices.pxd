"""Chase the Flush, shared by its kernels: the utility of river positions, and the decisions on flops.

A run adds its river values to the six flops that each board contains; then flops are decided.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

from chase_the_flush_boards cimport BELOW, DEALER_HANDS, GRADES, HIGH_THREE, MARKS, Run, UNQUALIFIED, UPTO, Work
from endings cimport (
    CHOICES, FAILS, FOLD, LOSE, QUALIFIES, RAISE_1X, RAISE_2X, RESULTS, TIE, WIN, CELLS, cell
)

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


cdef struct Form:
    # the utility of a choice summed over a river position's dealer hands:
    # constant + below * (hands below the flush) + upto * (not above it) + unqualified * (not qualifying)
    int64_t constant
    int64_t below
    int64_t upto
    int64_t unqualified


cdef inline int length_of(int grade) noexcept nogil:
    return grade + 2 if grade < HIGH_THREE else grade + 1


cdef inline void set_form(const int64_t* utility, int choice, int grade, Form* form) noexcept nogil:
    """A choice in a table [choice][dealer qualifies][lose, tie, win][flush length - 2] as a linear form."""
    cdef int n = length_of(grade)
    # utilities if the player loses, ties, wins, by dealers who qualify and those who do not
    cdef int64_t lose = utility[cell(choice, QUALIFIES, LOSE, n)]
    cdef int64_t tie = utility[cell(choice, QUALIFIES, TIE, n)]
    cdef int64_t win = utility[cell(choice, QUALIFIES, WIN, n)]
    cdef int64_t low_lose = utility[cell(choice, FAILS, LOSE, n)]
    cdef int64_t low_tie = utility[cell(choice, FAILS, TIE, n)]
    cdef int64_t low_win = utility[cell(choice, FAILS, WIN, n)]
    form.constant = DEALER_HANDS * lose
    if grade < HIGH_THREE:
        form.below, form.upto, form.unqualified = low_win - low_tie, low_tie - low_lose, low_lose - lose
    else:
        form.below, form.upto, form.unqualified = win - tie, tie - lose, low_win - win


cdef inline int64_t folded(const int64_t* utility, int grade) noexcept nogil:
    """The utility of a fold over the dealer hands of a position."""
    return DEALER_HANDS * utility[cell(FOLD, FAILS, LOSE, length_of(grade))]


cdef inline void set_gains(const int64_t* utility, Form* gains) noexcept nogil:
    """By grade, the gain of raising 1x over a fold."""
    cdef int grade
    for grade in range(GRADES):
        set_form(utility, RAISE_1X, grade, &gains[grade])
        gains[grade].constant -= folded(utility, grade)


cdef inline int64_t worth(const Form* form, const uint16_t* word) noexcept nogil:
    return (form.constant + form.below * word[BELOW] + form.upto * word[UPTO]
            + form.unqualified * word[UNQUALIFIED])


cdef struct Values:
    # of two tables, by grade: [the river raised 1x, the flop raised 2x], a fold; the largest utility of both
    Form form[2][2][GRADES]
    int64_t fold[2][GRADES]
    int64_t most[GRADES]
    bint raise_ties


cdef inline int64_t largest(const int64_t* utility, int grade) noexcept nogil:
    """The size of the largest utility of a flush of the grade, except for 3x."""
    cdef int64_t value, most = 0
    cdef int choice, qualifies, result
    for choice in range(RAISE_2X, CHOICES):
        for qualifies in range(2):
            for result in range(RESULTS):
                value = utility[cell(choice, qualifies, result, length_of(grade))]
                most = max(most, max(value, -value))
    return most


cdef inline void widen(Work* w) noexcept nogil:
    """Move the 32-bit parts of the flops' totals to the 64-bit ones."""
    cdef int32_t* narrow = &w.narrow[0][0][0]
    cdef int64_t* wide = &w.flop[0][0][0][0]
    cdef int i
    for i in range(49 * 49 * 4):
        wide[i] += narrow[i]
        narrow[i] = 0


cdef inline void value_flops(Work* w, const int64_t* utility, bint raise_ties) noexcept nogil:
    """Sum over each flop's river positions the value of choosing later and of raising now, for two tables.

    ``utility``: [table][3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2].
    Marks the river choice of every word: bits 0, 1 raise, 2, 3 exact tie.
    """
    cdef Values v
    cdef int64_t most = 0
    cdef int table, grade
    cdef const int64_t* of_table
    v.raise_ties = raise_ties
    for grade in range(GRADES):
        v.most[grade] = 0
        for table in range(2):
            of_table = utility + CELLS * table
            set_form(of_table, RAISE_1X, grade, &v.form[0][table][grade])
            set_form(of_table, RAISE_2X, grade, &v.form[1][table][grade])
            v.fold[table][grade] = folded(of_table, grade)
            v.most[grade] = max(v.most[grade], largest(of_table, grade))
        most = max(most, v.most[grade])
    memset(w.flop, 0, sizeof(w.flop))
    if COMBIN_FOUR_LANES and most <= NARROW:
        value_narrow(w, &v)
    else:
        value_wide(w, &v)


cdef inline void set_lanes(const Values* v, int grade, int weight, combin_forms* forms) noexcept nogil:
    """The forms of the river raised and of 2x in four 32-bit lanes, times ``weight``."""
    cdef int32_t constant[4]
    cdef int32_t fold[4]
    cdef int32_t above[4]
    cdef int16_t pairs[8]
    cdef int16_t unqualified[8]
    cdef int lane, table
    cdef const Form* form
    for lane in range(4):
        table = lane & 1
        form = &v.form[lane >> 1][table][grade]
        constant[lane] = weight * form.constant
        pairs[2 * lane] = weight * form.below
        pairs[2 * lane + 1] = weight * form.upto
        unqualified[2 * lane] = weight * form.unqualified
        unqualified[2 * lane + 1] = 0
        # 2x is not compared
        fold[lane] = above[lane] = -0x7FFFFFFF
        if lane < 2:
            fold[lane] = weight * v.fold[table][grade]
            above[lane] = fold[lane] - v.raise_ties
    combin_set_forms(forms, constant, pairs, unqualified, fold, above)


cdef inline void value_narrow(Work* w, const Values* v) noexcept nogil:
    """`value_flops` with four 32-bit lanes, for small utilities."""
    cdef combin_forms forms[GRADES][7]
    cdef int32_t total[4]
    cdef int grade, weight, lane, r
    cdef int64_t room = 1 << 30, spent
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    for grade in range(GRADES):
        for weight in range(1, 7):
            set_lanes(v, grade, weight, &forms[grade][weight])
    memset(w.narrow, 0, sizeof(w.narrow))
    for r in range(w.runs):
        run = &w.run[r]
        # half of the 31 bits suffice for all boards of small utilities; larger ones are checked
        if FLOP_BOARDS * DEALER_HANDS * v.most[run.grade] > 1 << 30:
            spent = run.weight * run.length * DEALER_HANDS * v.most[run.grade]
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


cdef inline void value_wide(Work* w, const Values* v) noexcept nogil:
    """`value_flops` in 64 bits, for any utilities and any processor."""
    cdef int table, i, r, k, card
    cdef int64_t later, now
    cdef int64_t total[2][2]
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    for r in range(w.runs):
        run = &w.run[r]
        memset(total, 0, sizeof(total))
        for i in range(run.length):
            card = run.inner + i
            for table in range(2):
                later = worth(&v.form[0][table][run.grade], word)
                now = worth(&v.form[1][table][run.grade], word)
                if later == v.fold[table][run.grade]:
                    word[MARKS] |= (4 + v.raise_ties) << table
                elif later > v.fold[table][run.grade]:
                    word[MARKS] |= 1 << table
                else:
                    later = v.fold[table][run.grade]
                later *= run.weight
                now *= run.weight
                total[0][table] += later
                total[1][table] += now
                for k in range(3):
                    w.flop[run.outer[k]][card][0][table] += later
                    w.flop[run.outer[k]][card][1][table] += now
            word += 4
        for table in range(2):
            for k in range(2):
                w.flop[run.outer[0]][run.outer[1]][k][table] += total[k][table]
                w.flop[run.outer[0]][run.outer[2]][k][table] += total[k][table]
                w.flop[run.outer[1]][run.outer[2]][k][table] += total[k][table]


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


cdef inline int image_of(const int* image, int k, int a, int b) noexcept nogil:
    """The image of a flop of two unseen cards under permutation ``k``: 49 * lower + higher."""
    cdef int x = image[49 * k + a], y = image[49 * k + b]
    return 49 * x + y if x < y else 49 * y + x


cdef inline int add_images(
    const Work* w, const int* image, int number, int a, int b, int64_t[2][2] whole
) noexcept nogil:
    """Add up the totals of a flop's images, for choosing later and for raising now; returns the number of images."""
    cdef int k, j, table, flop, listed = 0
    cdef int flops[6]
    memset(whole, 0, 4 * sizeof(int64_t))
    for k in range(number):
        flop = image_of(image, k, a, b)
        for j in range(listed):
            if flops[j] == flop:
                break
        else:
            flops[listed] = flop
            listed += 1
            for table in range(2):
                whole[0][table] += w.flop[flop // 49][flop % 49][0][table]
                whole[1][table] += w.flop[flop // 49][flop % 49][1][table]
    return listed


cdef inline void choose_flops(Work* w, int64_t* out, int64_t* flop_ties) noexcept nogil:
    """Decide every flop; ``out[table]`` is the value of checking the hole cards."""
    cdef int image[6 * 49]
    cdef int number, a, b, k, table, best, code, orbit
    cdef int64_t whole[2][2]
    number = images(w, image)
    out[0] = out[1] = flop_ties[0] = flop_ties[1] = 0
    # one total for both orders of the two cards
    for a in range(49):
        for b in range(a + 1, 49):
            for k in range(2):
                for table in range(2):
                    w.flop[a][b][k][table] += w.flop[b][a][k][table]
    for a in range(49):
        for b in range(a + 1, 49):
            # the least image stands for all; a board was counted through one image of it
            best = 49 * a + b
            for k in range(1, number):
                best = min(best, image_of(image, k, a, b))
            if best < 49 * a + b:
                w.raised[a][b] = w.raised[b][a] = w.raised[best // 49][best % 49]
                continue
            orbit = add_images(w, image, number, a, b, whole)
            code = 0
            for table in range(2):
                out[table] += max(whole[0][table], whole[1][table])
                if whole[1][table] > whole[0][table]:
                    code += 7 if table else 1
                elif whole[1][table] == whole[0][table]:
                    flop_ties[table] += orbit
            w.raised[a][b] = w.raised[b][a] = code
