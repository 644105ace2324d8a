# distutils: extra_compile_args = -fno-inline-functions-called-once
# If the walk over boards is inlined into its caller, the whole is about 10 % slower.
"""Chase the Flush: every decision of every hand, solved backwards.

chase_the_flush_boards.pxd counts boards, chase_the_flush_choices.pxd decides flops. Here
the hole cards are decided. A second walk over the stored words then adds up the endings
under all decisions.

Where the time goes. 1,755 classes x 211,876 boards are 372 million river positions,
of which interchangeable suits leave 195 million to be counted, in 29 million runs.
Counting them takes two fifths of the time, most of it to set up runs: a position takes 2
cycles to fill. A quarter values positions and adds each to three flops; the other three
flops of a board are added to once a run. A fifth decides the flops and adds positions to
the groups of their choices, neighbours of one group together. The data of a class (words,
0.9 MB, and the flops' totals, 38 KB) stay in or near the second-level cache; that mattered
more than arithmetic.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from chase_the_flush_boards cimport (
    BELOW, COUNTS, DEALER_HANDS, GRADES, HIGH_THREE, LANES, MARKS, Run, UNQUALIFIED, UPTO, Work, allocate,
    combin_add_run, count_class,
)
from chase_the_flush_choices cimport Form, choose_flops, length_of, set_form, value_flops
from chase_the_flush_masks cimport prepare
from doors cimport sized, within
from endings cimport CELLS, FAILS, FOLD, LOSE, QUALIFIES, RAISE_1X, RAISE_2X, RAISE_3X, TIE, WIN, cell

# Groups of positions that end alike: [grade][river choices of two tables][raised flops of table 1][of table 0].
# A position's `marks` and `raised` are those of `value_flops` and `choose_flops`.
cdef enum:
    FLOPS = 6              # of a board
    RAISED = 49            # none to six flops raised under each table
    RIVERS = 4
    GROUPS = 1372          # GRADES * RIVERS * RAISED

prepare()


cdef inline int group_of(int grade, int rivers, int flops) noexcept nogil:
    return (RIVERS * grade + rivers) * RAISED + flops


cdef inline int raised_of(int flops, int table) noexcept nogil:
    return flops // 7 if table else flops % 7


cdef void group_words(Work* w, uint32_t (*grouped)[4], int64_t (*tied)[GRADES][4]) noexcept nogil:
    """Add up the counts by grade, river choices and number of raised flops among the board's six.

    ``tied``: [table][grade], the rivers with equal choices, once for each flop that reaches them.
    """
    cdef int i, k, r, fixed, weight, flops, marks, length, table
    cdef Run* run
    cdef uint16_t* word = w.word[0]
    cdef const uint8_t* first
    cdef const uint8_t* second
    cdef const uint8_t* third
    memset(grouped, 0, GROUPS * sizeof(grouped[0]))
    memset(tied, 0, 2 * sizeof(tied[0]))
    for r in range(w.runs):
        run = &w.run[r]
        first = w.raised[run.outer[0]] + run.inner
        second = w.raised[run.outer[1]] + run.inner
        third = w.raised[run.outer[2]] + run.inner
        fixed = (w.raised[run.outer[0]][run.outer[1]] + w.raised[run.outer[0]][run.outer[2]]
                 + w.raised[run.outer[1]][run.outer[2]])
        weight = run.weight
        i = 0
        while i < run.length:
            # neighbours of one group, most often the whole run
            flops = first[i] + second[i] + third[i]
            marks = word[MARKS]
            length = 1
            while (i + length < run.length and word[LANES * length + MARKS] == marks
                   and first[i + length] + second[i + length] + third[i + length] == flops):
                length += 1
            flops += fixed
            # at most 14,190 * 211,876 = 3,006,520,440 each, below 2^32
            combin_add_run(grouped[group_of(run.grade, marks & 3, flops)], word, length, weight)
            for table in range(2):
                if marks & 4 << table:
                    for k in range(length):
                        add_tied(tied[table][run.grade], word + LANES * k, weight * (FLOPS - raised_of(flops, table)))
            word += LANES * length
            i += length


cdef inline void add_tied(int64_t* tied, const uint16_t* word, int64_t times) noexcept nogil:
    # at most 6 * 3,006,520,440
    tied[BELOW] += times * word[BELOW]
    tied[UPTO] += times * word[UPTO]
    tied[UNQUALIFIED] += times * word[UNQUALIFIED]
    tied[COUNTS] += times


cdef inline void settle(const int64_t* counts, int grade, int64_t times, int choice, int64_t* joint) noexcept nogil:
    """Add ``times`` the dealer hands of a group to the cells of a choice."""
    cdef int64_t below = counts[BELOW], upto = counts[UPTO], unqualified = counts[UNQUALIFIED]
    cdef int64_t hands = DEALER_HANDS * counts[COUNTS]
    cdef int n = length_of(grade)
    if grade < HIGH_THREE:
        joint[cell(choice, FAILS, LOSE, n)] += times * (unqualified - upto)
        joint[cell(choice, FAILS, TIE, n)] += times * (upto - below)
        joint[cell(choice, FAILS, WIN, n)] += times * below
        joint[cell(choice, QUALIFIES, LOSE, n)] += times * (hands - unqualified)
    else:
        joint[cell(choice, FAILS, WIN, n)] += times * unqualified
        joint[cell(choice, QUALIFIES, LOSE, n)] += times * (hands - upto)
        joint[cell(choice, QUALIFIES, TIE, n)] += times * (upto - below)
        joint[cell(choice, QUALIFIES, WIN, n)] += times * (below - unqualified)


cdef void settle_groups(const uint32_t (*grouped)[4], int table, bint first, int64_t* joint) noexcept nogil:
    """Add the class to the joint cells of a table; with ``first`` its hole cards raise."""
    cdef int grade, rivers, flops, raised, lane
    cdef int64_t counts[4]
    for grade in range(GRADES):
        for rivers in range(RIVERS):
            for flops in range(RAISED):
                for lane in range(LANES):
                    counts[lane] = grouped[group_of(grade, rivers, flops)][lane]
                if counts[COUNTS] == 0:
                    continue
                if first:
                    settle(counts, grade, FLOPS, RAISE_3X, joint)
                    continue
                raised = raised_of(flops, table)
                settle(counts, grade, raised, RAISE_2X, joint)
                settle(counts, grade, FLOPS - raised, RAISE_1X if rivers >> table & 1 else FOLD, joint)


cdef int64_t value_at_once(const uint32_t (*grouped)[4], const int64_t* utility) noexcept nogil:
    """Return the utility of raising the hole cards 3x, over all deals of the class."""
    cdef int grade, group
    cdef int64_t value = 0
    cdef const uint32_t* counts
    cdef Form form
    for grade in range(GRADES):
        set_form(utility, RAISE_3X, grade, &form)
        for group in range(group_of(grade, 0, 0), group_of(grade + 1, 0, 0)):
            counts = grouped[group]
            value += FLOPS * (form.constant * counts[COUNTS] + form.below * counts[BELOW] + form.upto * counts[UPTO]
                              + form.unqualified * counts[UNQUALIFIED])
    return value


def solve_classes(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility, bint raise_ties,
    int64_t[:, :, ::1] values, int64_t[:, :, :, :, :, ::1] joint, int64_t[:, :, ::1] ties, uint8_t[:, :, ::1] flops,
    int64_t[:, :, :, :, ::1] tied,
):
    """Play the hole classes start to stop optimally, for two utility tables at once.

    ``holes``: four masks of hole cards per class, equal masks adjacent.
    ``utility``: [table][3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2],
    at most 50,000,000 in size: a class has 6 * 211,876 * 14,190 = 1.8e10 deals, and a sum of four terms
    of up to twice the utility over them must stay below 2^63;
    a fold's depends only on the length.
    ``values``: [class][table][raised at once, checked]; ``joint``: [class][table] and as the utility;
    ``ties``: [class][table][hole cards, flops, rivers], flops after a check, rivers after two checks;
    ``flops``: [class][card][card], unseen cards as the class numbers them (suit by suit from the two up),
    1 if the flop raises 2x under the first table, plus 7 if under the second;
    ``tied``: [class][table][dealer qualifies][lose, tie, win][flush length - 2], the deals of tied rivers.
    Every entry is for one hand of the class.
    """
    within(start, stop, holes.shape[0], "classes")
    cdef Py_ssize_t classes = holes.shape[0]
    sized("holes", holes.shape, (None, 4))
    sized("utility", utility.shape, (2, 4, 2, 3, 6))
    sized("values", values.shape, (classes, 2, 2))
    sized("joint", joint.shape, (classes, 2, 4, 2, 3, 6))
    sized("ties", ties.shape, (classes, 2, 3))
    sized("flops", flops.shape, (classes, 49, 49))
    sized("tied", tied.shape, (classes, 2, 2, 3, 6))
    cdef Work* w
    cdef int item, table, grade
    cdef bint first
    cdef int64_t later[2]
    cdef int64_t flop_ties[2]
    cdef int64_t early
    cdef uint32_t grouped[GROUPS][4]
    cdef int64_t equal[2][GRADES][4]
    with nogil:
        w = allocate()
        for item in range(start, stop):
            count_class(w, &holes[item, 0])
            value_flops(w, &utility[0, 0, 0, 0, 0], raise_ties)
            choose_flops(w, later, flop_ties)
            memcpy(&flops[item, 0, 0], w.raised, sizeof(w.raised))
            group_words(w, grouped, equal)
            for table in range(2):
                early = value_at_once(grouped, &utility[table, 0, 0, 0, 0])
                values[item, table, 0] = early
                values[item, table, 1] = later[table]
                first = early > later[table]
                ties[item, table, 0] = early == later[table]
                if not first:
                    ties[item, table, 1] = flop_ties[table]
                    for grade in range(GRADES):
                        ties[item, table, 2] += equal[table][grade][COUNTS]
                        settle(equal[table][grade], grade, 1, 0, &tied[item, table, 0, 0, 0])
                settle_groups(grouped, table, first, &joint[item, table, 0, 0, 0, 0])
        free(w)
