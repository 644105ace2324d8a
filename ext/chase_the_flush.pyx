# distutils: extra_compile_args = -fno-inline-functions-called-once
# One function of everything, which the walk over boards would be inlined into, is some 10 % slower.
"""Chase the Flush: every decision of every hand, solved backwards.

How boards are counted stands in chase_the_flush_boards.pxd, how flops choose in
chase_the_flush_choices.pxd. Then the hole cards choose, and a second walk over the stored
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

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from chase_the_flush_boards cimport DEALER_HANDS, GRADES, Run, Work, allocate, count_class
from chase_the_flush_choices cimport choose_flops, coefficients, value_flops
from chase_the_flush_masks cimport prepare

cdef enum:
    GROUPS = 1372          # GRADES * 4 river choices of two tables * 7 * 7 numbers of raised flops

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>

    static inline void combin_add_counts(uint32_t *sums, const uint16_t *word, int weight) {
        __m128i counts = _mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i *)word), _mm_setzero_si128());
        counts = _mm_or_si128(_mm_and_si128(counts, _mm_set_epi32(0, -1, -1, -1)), _mm_set_epi32(1, 0, 0, 0));
        counts = _mm_madd_epi16(counts, _mm_set1_epi32(weight));
        _mm_storeu_si128((__m128i *)sums, _mm_add_epi32(_mm_loadu_si128((__m128i *)sums), counts));
    }
    #else
    static inline void combin_add_counts(uint32_t *sums, const uint16_t *word, int weight) {
        for (int k = 0; k < 3; k++) sums[k] += (uint32_t)word[k] * (uint32_t)weight;
        sums[3] += (uint32_t)weight;
    }
    #endif
    """
    void combin_add_counts(uint32_t* sums, const uint16_t* word, int weight) noexcept nogil

prepare()


cdef void group_words(Work* w, uint32_t (*grouped)[4], int64_t* river_ties) noexcept nogil:
    """Add up the counts by grade, river choices and number of raised flops among the board's six."""
    cdef int i, r, fixed, base, weight, flops, marks
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    cdef const uint8_t* first
    cdef const uint8_t* second
    cdef const uint8_t* third
    memset(grouped, 0, GROUPS * sizeof(grouped[0]))
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
            combin_add_counts(grouped[base + 49 * (marks & 3) + flops], word, weight)
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


cdef void settle_groups(const uint32_t (*grouped)[4], int table, bint first, int64_t* joint) noexcept nogil:
    """Add the class to the joint cells of a table whose hole cards raise where ``first``."""
    cdef int group, grade, raised, choice
    cdef const uint32_t* counts
    for group in range(GROUPS):
        counts = grouped[group]
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
    int64_t[:, :, ::1] values, int64_t[:, :, :, :, :, ::1] joint, int64_t[:, :, ::1] ties, uint8_t[:, :, ::1] flops,
):
    """Play the hole classes start to stop optimally, for two utility tables at once.

    ``holes``: four masks of hole cards a class, equal masks side by side.
    ``utility``: [table][3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2],
    at most 50,000,000 in size: a class has 6 * 211,876 * 14,190 = 1.8e10 deals, and a sum of four terms
    of up to twice the utility over them must stay below 2^63;
    a fold's depends on the length alone.
    ``values``: [class][table][raised at once, checked]; ``joint``: [class][table] and as the utility;
    ``ties``: [class][table][hole cards, flops, rivers], a flop only where the hole cards check, a river
    only where the flop checks too; ``flops``: [class][card][card], unseen cards as the class numbers them
    (suit by suit from the two up), 1 where the flop raises 2x under the first table, plus 7 under the second.
    Every entry is for one hand of the class.
    """
    cdef Work* w
    cdef int item, s, table, grade, group, first
    cdef int hole[4]
    cdef int64_t later[2]
    cdef int64_t flop_ties[2]
    cdef int64_t river_ties[2]
    cdef int64_t c[4]
    cdef int64_t early
    cdef uint32_t grouped[GROUPS][4]
    cdef uint32_t* counts
    with nogil:
        w = allocate()
        for item in range(start, stop):
            for s in range(4):
                hole[s] = holes[item, s]
            count_class(w, hole)
            value_flops(w, &utility[0, 0, 0, 0, 0], raise_ties)
            choose_flops(w, later, flop_ties)
            memcpy(&flops[item, 0, 0], w.raised, sizeof(w.raised))
            group_words(w, grouped, river_ties)
            for table in range(2):
                early = 0
                for grade in range(GRADES):
                    coefficients(&utility[table, 0, 0, 0, 0], grade, c)
                    for group in range(4 * 49 * grade, 4 * 49 * (grade + 1)):
                        counts = grouped[group]
                        early += 6 * (c[0] * counts[3] + c[1] * counts[0] + c[2] * counts[1] + c[3] * counts[2])
                values[item, table, 0] = early
                values[item, table, 1] = later[table]
                first = early > later[table]
                ties[item, table, 0] = early == later[table]
                if not first:
                    ties[item, table, 1] = flop_ties[table]
                    ties[item, table, 2] = river_ties[table]
                settle_groups(grouped, table, first, &joint[item, table, 0, 0, 0, 0])
        free(w)
