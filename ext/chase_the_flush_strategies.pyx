# distutils: extra_compile_args = -fno-inline-functions-called-once
# If the walk over boards is inlined into its caller, the whole is about 10 % slower.
"""Chase the Flush: strategies that depend on the best flush in view, and optimal play counted by it.

A strategy raises 2x by the best flush of five cards, 1x by that of seven and by the board's
threat to it (`watch`). `play_classes` counts each class once for many strategies: over the
boards of one flush it sums, for each rule of the flop, the counts times the flops that the
rule raises. Only these sums go into a table; the river is decided later, from the table.
`value_early` and `value_rivers` add up utilities for the search of the best thresholds.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from chase_the_flush_boards cimport (
    BELOW, GRADES, LANES, Run, UNQUALIFIED, UPTO, Work, allocate, combin_add_run, count_class,
)
from chase_the_flush_choices cimport Form, set_gains, value_flops, worth
from chase_the_flush_masks cimport best_flush, place_of, prepare, top_rank
from doors cimport shaped, sized, within

cdef enum:
    COLUMNS = 8            # five rules of the flop; all boards; optimal 1x; optimal 2x: bytes of a word
    FLOPS = 6              # of a board
    THREATS = 3            # see `watch`
    POSITIONS = 3          # the lane after the three counts
    WHOLE = 5
    LATE = 6
    EARLY = 7
    ROOM = 8000            # positions times 6 * 6 * 14,190 that stay below 2^32

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>

    /* sums[column], 3 x 4 apart, += weight * (the three counts, 1) * byte number column of times */
    static inline void combin_share_run(uint32_t *sums, const uint16_t *word, const uint64_t *times, int length,
            int weight) {
        const __m128i zero = _mm_setzero_si128(), factor = _mm_set1_epi16((short)weight);
        const __m128i counted = _mm_set_epi32(0, -1, -1, -1), one = _mm_set_epi32(0x10001, 0, 0, 0);
        __m128i total[8];
        for (int k = 0; k < 8; k++) total[k] = zero;
        for (int i = 0; i < length; i += 2) {
            __m128i counts = _mm_loadu_si128((const __m128i *)(word + 4 * i));
            __m128i shares = _mm_loadu_si128((const __m128i *)(times + i));
            if (i + 1 == length) shares = _mm_move_epi64(shares);
            counts = _mm_unpacklo_epi16(counts, _mm_srli_si128(counts, 8));
            counts = _mm_or_si128(_mm_and_si128(counts, counted), one);
            __m128i first = _mm_mullo_epi16(_mm_unpacklo_epi8(shares, zero), factor);
            __m128i second = _mm_mullo_epi16(_mm_unpackhi_epi8(shares, zero), factor);
            __m128i low = _mm_unpacklo_epi16(first, second), high = _mm_unpackhi_epi16(first, second);
            total[0] = _mm_add_epi32(total[0], _mm_madd_epi16(counts, _mm_shuffle_epi32(low, 0x00)));
            total[1] = _mm_add_epi32(total[1], _mm_madd_epi16(counts, _mm_shuffle_epi32(low, 0x55)));
            total[2] = _mm_add_epi32(total[2], _mm_madd_epi16(counts, _mm_shuffle_epi32(low, 0xAA)));
            total[3] = _mm_add_epi32(total[3], _mm_madd_epi16(counts, _mm_shuffle_epi32(low, 0xFF)));
            total[4] = _mm_add_epi32(total[4], _mm_madd_epi16(counts, _mm_shuffle_epi32(high, 0x00)));
            total[5] = _mm_add_epi32(total[5], _mm_madd_epi16(counts, _mm_shuffle_epi32(high, 0x55)));
            total[6] = _mm_add_epi32(total[6], _mm_madd_epi16(counts, _mm_shuffle_epi32(high, 0xAA)));
            total[7] = _mm_add_epi32(total[7], _mm_madd_epi16(counts, _mm_shuffle_epi32(high, 0xFF)));
        }
        for (int k = 0; k < 8; k++, sums += 12)
            _mm_storeu_si128((__m128i *)sums, _mm_add_epi32(_mm_loadu_si128((__m128i *)sums), total[k]));
    }

    /* the sum of four words for each position; one beyond the last may be read and written */
    static inline void combin_add_words(uint64_t *out, int length, uint64_t fixed, const uint64_t *first,
            const uint64_t *second, const uint64_t *third) {
        for (int i = 0; i < length; i += 2)
            _mm_storeu_si128((__m128i *)(out + i), _mm_add_epi64(
                _mm_add_epi64(_mm_set1_epi64x((int64_t)fixed), _mm_loadu_si128((const __m128i *)(first + i))),
                _mm_add_epi64(_mm_loadu_si128((const __m128i *)(second + i)),
                              _mm_loadu_si128((const __m128i *)(third + i)))));
    }

    /* times += 6 - its last byte, in the byte before that, wherever a position's form is above a bound */
    static inline void combin_raise_run(uint64_t *times, int length, const uint16_t *word, const int16_t *form,
            int32_t bound) {
        const __m128i factors = _mm_loadu_si128((const __m128i *)form), above = _mm_set1_epi32(bound);
        const __m128i flops = _mm_set1_epi64x((int64_t)6 << 48);
        for (int i = 0; i < length; i += 2) {
            __m128i value = _mm_madd_epi16(_mm_loadu_si128((const __m128i *)(word + 4 * i)), factors);
            __m128i before = _mm_loadu_si128((const __m128i *)(times + i));
            __m128i late = _mm_sub_epi64(flops, _mm_slli_epi64(_mm_srli_epi64(before, 56), 48));
            value = _mm_cmpgt_epi32(_mm_add_epi32(value, _mm_shuffle_epi32(value, 0xB1)), above);
            _mm_storeu_si128((__m128i *)(times + i), _mm_add_epi64(before, _mm_and_si128(value, late)));
        }
    }
    #define COMBIN_NARROW_FORMS 1
    #else
    #define COMBIN_NARROW_FORMS 0
    #define combin_raise_run(times, length, word, form, bound) ((void)0)

    static inline void combin_add_words(uint64_t *out, int length, uint64_t fixed, const uint64_t *first,
            const uint64_t *second, const uint64_t *third) {
        for (int i = 0; i < length; i++) out[i] = fixed + first[i] + second[i] + third[i];
    }

    static inline void combin_share_run(uint32_t *sums, const uint16_t *word, const uint64_t *times, int length,
            int weight) {
        for (int i = 0; i < length; i++, word += 4)
            for (int k = 0; k < 8; k++) {
                uint32_t share = (uint32_t)weight * (uint32_t)(times[i] >> 8 * k & 0xFF);
                for (int j = 0; j < 3; j++) sums[12 * k + j] += word[j] * share;
                sums[12 * k + 3] += share;
            }
    }
    #endif
    """
    void combin_share_run(uint32_t* sums, const uint16_t* word, const uint64_t* times, int length,
                          int weight) noexcept nogil
    void combin_add_words(uint64_t* out, int length, uint64_t fixed, const uint64_t* first, const uint64_t* second,
                          const uint64_t* third) noexcept nogil
    const int COMBIN_NARROW_FORMS
    void combin_raise_run(uint64_t* times, int length, const uint16_t* word, const int16_t* form,
                          int32_t bound) noexcept nogil

prepare()


cdef struct View:
    # the 49 unseen cards, suit by suit from the two up
    int suit[49]
    int rank[49]
    int place[49][49]      # of the best flush of the hole cards and the two cards


cdef void view(const Work* w, View* v) noexcept nogil:
    cdef int hand[4]
    cdef int s, rank, card = 0, x, y
    for s in range(4):
        for rank in range(13):
            if not w.hole[s] >> rank & 1:
                v.suit[card] = s
                v.rank[card] = rank
                card += 1
    for x in range(49):
        for y in range(x):
            for s in range(4):
                hand[s] = w.hole[s]
            hand[v.suit[x]] |= 1 << v.rank[x]
            hand[v.suit[y]] |= 1 << v.rank[y]
            v.place[x][y] = v.place[y][x] = place_of(best_flush(hand))


cdef inline int watch(const View* v, const Run* run, int top, int* low, int* high) noexcept nogil:
    """The threats of a run's boards to a flush of this top rank: ``low`` up to a card, ``high`` from it on.

    2: two board cards of one suit above the flush's top card; 1: otherwise, two of
    one suit of which the higher is above it; 0: neither. Returns the number of boards at ``low``.
    """
    cdef int card = run.inner, suit = v.suit[card], k, other, above, cut = 0, most = -1
    cdef int suits[3]
    cdef int higher[3]
    low[0] = 0
    for k in range(3):
        suits[k] = v.suit[run.outer[k]]
        higher[k] = v.rank[run.outer[k]] > top
        if suits[k] == suit:
            most = max(most, higher[k])
        for other in range(k):
            above = (suits[k] == suits[other]) * (higher[k] + higher[other])
            low[0] = max(low[0], above)
    low[0] = max(low[0], most)
    high[0] = low[0]
    if most >= 0:
        # the last card shares its suit with others, and counts once it is above
        high[0] = max(low[0], most + 1)
        while cut < run.length and v.rank[card + cut] <= top:
            cut += 1
    return cut


cdef struct Sums:
    # of the boards with one flush: [column][threat][dealer hands below it, not above it, not qualifying; positions]
    uint32_t sums[COLUMNS][THREATS][LANES]
    # the last positions with equal columns and threat, which still belong to the sums
    uint32_t alike[LANES]
    uint64_t times
    int threat
    int flush
    int positions
    int64_t weight           # of the class
    int64_t* into[COLUMNS]   # [place][threat][4], or NULL


cdef inline void share(Sums* s) noexcept nogil:
    """Add the positions that are alike to the columns."""
    cdef int k, lane
    cdef uint32_t times
    for k in range(COLUMNS):
        if s.into[k] != NULL:
            times = s.times >> 8 * k & 0xFF
            for lane in range(LANES):
                s.sums[k][s.threat][lane] += times * s.alike[lane]
    memset(s.alike, 0, sizeof(s.alike))


cdef inline void add_positions(
    Sums* s, const uint16_t* word, const uint64_t* times, int length, int weight, int threat
) noexcept nogil:
    """Add neighbours of one threat; most often all have the same columns, and so have those before them."""
    cdef int i
    cdef uint64_t differ = 0
    for i in range(1, length):
        differ |= times[i] ^ times[0]
    if differ:
        combin_share_run(&s.sums[0][threat][0], word, times, length, weight)
        return
    if times[0] != s.times or threat != s.threat:
        share(s)
        s.times, s.threat = times[0], threat
    combin_add_run(s.alike, word, length, weight)


cdef inline void spill(Sums* s) noexcept nogil:
    """Move the sums of a flush to its index in the tables."""
    cdef int k, threat, lane
    cdef int64_t* into
    if s.positions == 0:
        return
    share(s)
    for k in range(COLUMNS):
        if s.into[k] == NULL:
            continue
        for threat in range(THREATS):
            if s.sums[k][threat][POSITIONS]:
                into = s.into[k] + (THREATS * place_of(s.flush) + threat) * LANES
                for lane in range(LANES):
                    into[lane] += s.weight * s.sums[k][threat][lane]
                    s.sums[k][threat][lane] = 0
    s.positions = 0


cdef inline void flag_flops(
    const View* v, const uint8_t[:, ::1] flop, const uint8_t* raised, uint64_t (*flags)[49]
) noexcept nogil:
    """For each two cards a word of columns: the rules that raise the flop, and optimal play if it is ``raised``."""
    cdef int x, y, rule
    cdef uint64_t each
    for x in range(49):
        for y in range(x):
            each = 0
            for rule in range(<int> flop.shape[0]):
                each |= <uint64_t> flop[rule, v.place[x][y]] << 8 * rule
            if raised != NULL:
                each |= <uint64_t> raised[49 * x + y] << 8 * EARLY
            flags[x][y] = flags[y][x] = each


cdef struct Rivers:
    # by grade, where optimal play raises the river: from a gain on; and in few bits, if it has room there, above a bound
    Form gains[GRADES]
    int64_t least
    bint narrow[GRADES]
    int16_t factors[GRADES][2 * LANES]
    int32_t bound[GRADES]


cdef void set_rivers(const int64_t* utility, bint raise_ties, Rivers* rivers) noexcept nogil:
    cdef int grade, k
    cdef Form* form
    set_gains(utility, rivers.gains)
    rivers.least = 0 if raise_ties else 1
    memset(rivers.factors, 0, sizeof(rivers.factors))
    for grade in range(GRADES):
        form = &rivers.gains[grade]
        # three factors of at most 32,767 times at most 14,190 hands stay below 2^31
        rivers.narrow[grade] = COMBIN_NARROW_FORMS and (
            max(form.below, -form.below) < 1 << 15 and max(form.upto, -form.upto) < 1 << 15
            and max(form.unqualified, -form.unqualified) < 1 << 15 and max(form.constant, -form.constant) < 1 << 30
        )
        if rivers.narrow[grade]:
            for k in range(2):
                rivers.factors[grade][LANES * k + BELOW] = form.below
                rivers.factors[grade][LANES * k + UPTO] = form.upto
                rivers.factors[grade][LANES * k + UNQUALIFIED] = form.unqualified
            rivers.bound[grade] = rivers.least - 1 - form.constant


cdef inline void count_columns(
    const uint64_t (*flags)[49], const Run* run, const uint16_t* word, const Rivers* rivers, uint64_t* times
) noexcept nogil:
    """For each position of a run, the number of the board's six flops in each column.

    ``rivers`` is NULL if optimal play is not wanted.
    """
    cdef int i
    cdef uint64_t each
    cdef uint64_t fixed = (
        flags[run.outer[0]][run.outer[1]] + flags[run.outer[0]][run.outer[2]] + flags[run.outer[1]][run.outer[2]]
        + (<uint64_t> 1 << 8 * WHOLE)
    )
    combin_add_words(times, run.length, fixed, &flags[run.outer[0]][run.inner], &flags[run.outer[1]][run.inner],
                     &flags[run.outer[2]][run.inner])
    if rivers == NULL:
        return
    if rivers.narrow[run.grade]:
        combin_raise_run(times, run.length, word, rivers.factors[run.grade], rivers.bound[run.grade])
        return
    for i in range(run.length):
        each = worth(&rivers.gains[run.grade], word + LANES * i) >= rivers.least
        times[i] += each * (FLOPS - (times[i] >> 8 * EARLY)) << 8 * LATE


cdef void play_runs(
    const Work* w, const View* v, const uint64_t (*flags)[49], const Rivers* rivers, Sums* sum,
) noexcept nogil:
    """Sum up the boards of a class, flush by flush."""
    cdef int r, top = 0, cut, low, high
    cdef uint64_t times[14]
    cdef const Run* run
    cdef const uint16_t* word = w.word[0]
    memset(times, 0, sizeof(times))
    memset(sum.sums, 0, sizeof(sum.sums))  # those of columns that the class before did not want as well
    sum.flush = 0
    for r in range(w.runs):
        run = &w.run[r]
        if run.flush != sum.flush or sum.positions > ROOM:
            spill(sum)
            sum.flush = run.flush
            top = top_rank(run.flush & 0x1FFF)
        sum.positions += run.length
        count_columns(flags, run, word, rivers, times)
        cut = watch(v, run, top, &low, &high)
        if cut:
            add_positions(sum, word, times, cut, run.weight, low)
        if cut < run.length:
            add_positions(sum, word + LANES * cut, times + cut, run.length - cut, run.weight, high)
        word += LANES * run.length
    spill(sum)


def play_classes(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[::1] weight, const uint8_t[:, ::1] flop,
    const int32_t[::1] pattern, const int32_t[:, ::1] table, const uint8_t[:, :, ::1] raised,
    const int64_t[:, :, :, ::1] utility, bint raise_ties, int64_t[:, :, :, ::1] sums, int64_t[:, ::1] flops,
):
    """Sum the river positions of the hole classes start to stop, for rules of the flop and optimal play.

    ``flop``: [rule][index of the best flush of five cards], whether 2x is raised; at most five rules.
    ``table``: [pattern of the class][column], the table of ``sums`` that a column is added to, or -1 if it
    is not wanted: the rules; all boards once; optimal 1x; optimal 2x. Where optimal play is wanted, ``raised``
    [class][card][card] are its flops (see `solve_classes`, of one table) and ``utility`` the table of it.
    ``sums``: [table][index of the best flush of seven][threat][dealer hands below it, not above it, not
    qualifying; positions] times ``weight`` and the number of the board's six flops that come to it (all
    boards: once). ``flops``: [index of the best flush of five][checked, raised] of optimal play. A sum is at
    most the 4.0e14 deals of the game.
    """
    within(start, stop, holes.shape[0], "classes")
    sized("holes", holes.shape, (None, 4))
    sized("weight", weight.shape, (holes.shape[0],))
    sized("pattern", pattern.shape, (holes.shape[0],))
    sized("table", table.shape, (None, COLUMNS))
    shaped(flop.shape[0] <= WHOLE and raised.shape[0] > 0, "five rules at most, and flops that are raised")
    sized("raised", raised.shape, (None, 49, 49))
    sized("utility", utility.shape, (4, 2, 3, 6))
    sized("sums", sums.shape, (None, flop.shape[1], THREATS, LANES))
    sized("flops", flops.shape, (flop.shape[1], 2))
    cdef Work* w
    cdef int item, x, y, k
    cdef bint follows
    cdef uint64_t flags[50][49]  # a row more, of which one word may be read
    cdef Rivers rivers
    cdef View v
    cdef Sums sum
    with nogil:
        w = allocate()
        memset(&sum, 0, sizeof(sum))
        memset(flags, 0, sizeof(flags))
        set_rivers(&utility[0, 0, 0, 0], raise_ties, &rivers)
        for item in range(start, stop):
            for k in range(COLUMNS):
                sum.into[k] = NULL
                if table[pattern[item], k] >= 0:
                    sum.into[k] = &sums[table[pattern[item], k], 0, 0, 0]
            sum.weight = weight[item]
            follows = sum.into[EARLY] != NULL
            count_class(w, &holes[item, 0])
            view(w, &v)
            flag_flops(&v, flop, &raised[item, 0, 0] if follows else NULL, flags)
            if follows:
                for x in range(49):
                    for y in range(x):
                        flops[v.place[x][y], raised[item, x, y]] += weight[item]
            play_runs(w, &v, flags, &rivers if follows else NULL, &sum)
        free(w)


def value_early(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility,
    const int64_t[::1] weight, const int32_t[::1] row, int64_t[:, :, ::1] out,
):
    """Sum utilities by the index of the flop's flush, over hands of a class times ``weight``.

    ``out``: [row of the class][index of the best flush of five cards][raised 2x, best later play,
    number of flops].
    ``utility`` as in `solve_classes`; the second table is not used. A sum over all deals
    of the game stays below 2^63 for utilities up to 20,000.
    """
    within(start, stop, holes.shape[0], "classes")
    sized("holes", holes.shape, (None, 4))
    sized("weight", weight.shape, (holes.shape[0],))
    sized("row", row.shape, (holes.shape[0],))
    sized("utility", utility.shape, (2, 4, 2, 3, 6))
    sized("out", out.shape, (None, None, 3))
    cdef Work* w
    cdef View v
    cdef int item, x, y
    with nogil:
        w = allocate()
        for item in range(start, stop):
            count_class(w, &holes[item, 0])
            value_flops(w, &utility[0, 0, 0, 0, 0], False)
            view(w, &v)
            for x in range(49):
                for y in range(49):
                    if x != y:
                        out[row[item], v.place[x][y], 0] += weight[item] * w.flop[x][y][1][0]
                        out[row[item], v.place[x][y], 1] += weight[item] * w.flop[x][y][0][0]
                        if x < y:
                            out[row[item], v.place[x][y], 2] += weight[item]
        free(w)


cdef void value_runs(
    const Work* w, const View* v, const Form* gains, int64_t weight, const uint8_t[::1] kind, int64_t[:, :, ::1] out
) noexcept nogil:
    """`value_rivers` of one class; ``v.place`` holds columns."""
    cdef int r, i, k, place, column, cut, low, high, threat
    cdef int64_t gain
    cdef int64_t sums[2]
    cdef const Run* run
    cdef const uint16_t* word = w.word[0]
    for r in range(w.runs):
        run = &w.run[r]
        place = place_of(run.flush)
        sums[0] = sums[1] = 0
        cut = watch(v, run, top_rank(run.flush & 0x1FFF), &low, &high)
        for i in range(run.length):
            threat = kind[low if i < cut else high]
            gain = worth(&gains[run.grade], word)
            gain *= run.weight * weight
            sums[threat] += gain
            for k in range(3):
                column = v.place[run.outer[k]][run.inner + i]
                if column >= 0:
                    out[place, column, threat] += gain
            word += LANES
        for k in range(3):
            column = v.place[run.outer[k // 2]][run.outer[1 + (k + 1) // 2]]
            if column >= 0:
                out[place, column, 0] += sums[0]
                if out.shape[2] > 1:
                    out[place, column, 1] += sums[1]


def value_rivers(
    const int32_t[:, ::1] holes, int start, int stop, const int64_t[:, :, :, :, ::1] utility,
    const int64_t[::1] weight, const int32_t[::1] column, const uint8_t[::1] kind, int64_t[:, :, ::1] out,
):
    """Sum the gain of raising 1x over folding, by the position that a strategy sees.

    ``out``: [index of the flush of seven][column of the flop's flush][``kind``, 0 or 1, of the
    threat, see `watch`]. A flop whose column is negative is left out. Utilities up to 20,000.
    """
    within(start, stop, holes.shape[0], "classes")
    sized("holes", holes.shape, (None, 4))
    sized("weight", weight.shape, (holes.shape[0],))
    sized("kind", kind.shape, (THREATS,))
    sized("utility", utility.shape, (2, 4, 2, 3, 6))
    shaped(1 <= out.shape[2] <= 2, "out (places, columns, 1 or 2)")
    cdef Work* w
    cdef View v
    cdef int item, x, y
    cdef Form gains[GRADES]
    with nogil:
        w = allocate()
        set_gains(&utility[0, 0, 0, 0, 0], gains)
        for item in range(start, stop):
            count_class(w, &holes[item, 0])
            view(w, &v)
            for x in range(49):
                for y in range(49):
                    if x != y:
                        v.place[x][y] = column[v.place[x][y]]
            value_runs(w, &v, gains, weight[item], kind, out)
        free(w)
