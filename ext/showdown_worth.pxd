"""The values of hands as linear functions of their counts, the best choices, and sums of the counts."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from showdown_counts cimport Hands, Plan, Work


# Rows of coefficients by segments of the player's ranks and cuts of the dealer's, and nodes whose choices are rows.
cdef struct Rows:
    int cuts
    int segments
    int count
    int nodes
    int choices                  # of a node, in the order of preference
    const int32_t* cut
    const int32_t* segment
    const int64_t* coefficient   # [row][segment][cuts, below, up to, all hands]
    const int32_t* node          # [node][choice]: a row
    const int32_t* need          # [choice]: the least rank to which it is offered


cdef inline Py_ssize_t end_of_segment(const Work* w, const Rows* rows, Py_ssize_t start, int* segment) noexcept nogil:
    """Move to the segment of the hand ``start``; return where it ends."""
    cdef Py_ssize_t end = start + 1, n = w.mine.count
    while segment[0] < rows.segments and rows.segment[segment[0]] <= w.mine.rank[start]:
        segment[0] += 1
    while end < n and (segment[0] == rows.segments or w.mine.rank[end] < rows.segment[segment[0]]):
        end += 1
    return end


cdef inline const int32_t* counts_of(const Work* w, const Rows* rows, int cut) noexcept nogil:
    """Return the counts at a cut, or below and up to the hands themselves."""
    return w.at_cut + cut * w.mine.count if cut < rows.cuts else w.below if cut == rows.cuts else w.upto


cdef inline void value_rows(const Plan* p, const Work* w, const Rows* rows, int64_t* out) noexcept nogil:
    """Write the value of each row for each hand."""
    cdef Py_ssize_t n = w.mine.count, i, start = 0, end
    cdef int row, cut, segment = 0, cuts = rows.cuts
    cdef const int64_t* c
    cdef int64_t* values
    cdef const int32_t* counts
    cdef int64_t by, base
    if not rows.count:
        return
    while start < n:
        end = end_of_segment(w, rows, start, &segment)
        for row in range(rows.count):
            c = rows.coefficient + (row * (rows.segments + 1) + segment) * (cuts + 3)
            values = out + row * n
            base = c[cuts + 2] * w.all_hands
            for i in range(start, end):
                values[i] = base
            if p.hidden >= 0:
                for cut in range(cuts + 2):
                    by = c[cut]
                    if by:
                        counts = counts_of(w, rows, cut)
                        for i in range(start, end):
                            values[i] += by * counts[i]
        start = end


cdef inline void choose(
    const Hands* mine, const int64_t* values, const Rows* rows, int node, int64_t* best, int8_t* chosen, bint* tied
) noexcept nogil:
    """Write the best choice of each hand at one node; the first of equal ones. ``chosen`` and ``tied`` may be NULL."""
    cdef Py_ssize_t n = mine.count, i
    cdef int k, at, count = rows.choices
    cdef const int32_t* choices = rows.node + node * count
    cdef const int32_t* needs = rows.need
    cdef bint tie
    cdef int64_t value, most
    for i in range(n):
        at = -1
        most = 0
        tie = False
        for k in range(count):
            if mine.rank[i] < needs[k]:
                continue
            value = values[choices[k] * n + i]
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
    const Plan* p, const Work* w, const Rows* rows, const int32_t* weights, int64_t* out
) noexcept nogil:
    """Add weight times each count to [segment][cuts, below, up to, all]."""
    cdef Py_ssize_t n = w.mine.count, i, start = 0, end
    cdef int cut, segment = 0, cuts = rows.cuts
    cdef const int32_t* counts
    cdef int64_t total
    cdef int64_t* row
    while start < n:
        end = end_of_segment(w, rows, start, &segment)
        row = out + segment * (cuts + 3)
        total = 0
        for i in range(start, end):
            total += weights[i]
        row[cuts + 2] += total * w.all_hands
        if total and p.hidden >= 0:
            for cut in range(cuts + 2):
                counts = counts_of(w, rows, cut)
                total = 0
                for i in range(start, end):
                    total += <int64_t> weights[i] * counts[i]
                row[cut] += total
        start = end
