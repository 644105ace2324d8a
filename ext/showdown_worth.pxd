"""The values of hands as linear functions of their counts, the best choices, and sums of the counts."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from showdown_counts cimport Hands, Plan, Work


cdef inline void value_rows(
    const Plan* p, const Work* w, const int32_t* segments, int segment_count, int cuts, const int64_t* coefficients,
    int rows, int64_t* out,
) noexcept nogil:
    """Write the value of each row for each hand: coefficients [row][segment][cuts, below, up to, all hands]."""
    cdef Py_ssize_t n = w.mine.count, i, start = 0, end
    cdef int row, cut, segment = 0
    cdef const int64_t* c
    cdef int64_t* values
    cdef const int32_t* counts
    cdef int64_t by, base
    while start < n:
        while segment < segment_count and segments[segment] <= w.mine.rank[start]:
            segment += 1
        end = start + 1
        while end < n and (segment == segment_count or w.mine.rank[end] < segments[segment]):
            end += 1
        for row in range(rows):
            c = coefficients + (row * (segment_count + 1) + segment) * (cuts + 3)
            values = out + row * n
            base = c[cuts + 2] * w.all_hands
            for i in range(start, end):
                values[i] = base
            if p.hidden >= 0:
                for cut in range(cuts + 2):
                    by = c[cut]
                    if by:
                        counts = w.at_cut + cut * n if cut < cuts else w.below if cut == cuts else w.upto
                        for i in range(start, end):
                            values[i] += by * counts[i]
        start = end


cdef inline void choose(
    const Hands* mine, const int64_t* rows, const int32_t* choices, const int32_t* needs, int count, int64_t* best,
    int8_t* chosen, bint* tied,
) noexcept nogil:
    """Write the best choice of each hand at one node; the first of equal ones.

    ``choices`` are their rows in the order of preference, ``needs`` the least rank to which each is offered.
    ``chosen`` and ``tied`` may be NULL.
    """
    cdef Py_ssize_t n = mine.count, i
    cdef int k, at
    cdef bint tie
    cdef int64_t value, most
    for i in range(n):
        at = -1
        most = 0
        tie = False
        for k in range(count):
            if mine.rank[i] < needs[k]:
                continue
            value = rows[choices[k] * n + i]
            if at < 0 or value > most:
                at = k
                most = value
                tie = False
            elif value == most:
                tie = True
        best[i] = most
        if chosen != NULL:
            chosen[i] = <int8_t> at
        if tied != NULL:
            tied[i] = tie


cdef inline int32_t field_of(const uint64_t* events, Py_ssize_t n, Py_ssize_t hand, int32_t field) noexcept nogil:
    if field < 0:
        return 1
    return <int32_t> (events[(field >> 2) * n + hand] >> 16 * (field & 3) & 0xffff)


cdef inline void add_moments(
    const Plan* p, const Work* w, const int32_t* segments, int segment_count, int cuts, const int32_t* weights, int64_t* out
) noexcept nogil:
    """Add weight times each count to [segment][cuts, below, up to, all]."""
    cdef Py_ssize_t n = w.mine.count, i, start = 0, end
    cdef int cut, segment = 0
    cdef const int32_t* counts
    cdef int64_t total, last = 0
    cdef int64_t* row
    while start < n:
        while segment < segment_count and segments[segment] <= w.mine.rank[start]:
            segment += 1
        end = start + 1
        while end < n and (segment == segment_count or w.mine.rank[end] < segments[segment]):
            end += 1
        row = out + segment * (cuts + 3)
        total = 0
        for i in range(start, end):
            total += weights[i]
        row[cuts + 2] += total * w.all_hands
        if total and p.hidden >= 0:
            for cut in range(cuts + 2):
                counts = w.at_cut + cut * n if cut < cuts else w.below if cut == cuts else w.upto
                total = 0
                for i in range(start, end):
                    total += <int64_t> weights[i] * counts[i]
                row[cut] += total
        start = end
