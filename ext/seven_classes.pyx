"""Seven-card hands by class: orbits of hands under the 24 permutations of the suits.

A class is four sets of ranks, p0 >= p1 >= p2 >= p3 by position in one list of all
sets of up to seven ranks, ordered by size and then by mask. Its weight is 24 over
the number of permutations that keep the four. The features of a hand are
the join of its four sets' features. A class thus takes one look-up in a row of a table
of joins, sometimes a test for a rank common to all four sets, and one addition.

Where the time goes: three quarters of the classes have a longest suit of two or
three cards. Most of the time is the innermost loop, about two nanoseconds per class. It
runs over the second suit, the longest loop, so that the other three sets, their join
and their common ranks stay outside. A separate loop for hands whose first three sets
have no common rank halved the time. Pointers in place of memoryviews would gain a
sixth, and lose the bounds checks of a debug build. Two histograms gain nothing.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t

# Indexed by the equal neighbours in p0 >= p1 >= p2 >= p3: 1 for p0 = p1, 2 for p1 = p2, 4 for p2 = p3.
cdef int64_t[8] WEIGHT = [24, 12, 12, 4, 12, 6, 4, 1]


def add_classes(
    Py_ssize_t start,
    Py_ssize_t stop,
    Py_ssize_t lanes,
    const int64_t[::1] first,
    const uint16_t[::1] masks,
    const uint8_t[::1] shows,
    const uint8_t[:, ::1] join,
    int64_t[:, :, ::1] weights,
    int64_t[::1] classes,
):
    """Add the classes of the lanes ``[start, stop)``.

    Lane k has every ``lanes``-th longest suit, of two cards or more, from the k-th on.
    ``masks`` holds the sets of up to seven ranks by size, those of size s from
    ``first[s]`` to ``first[s + 1]``. ``shows`` is a code of each set's features,
    ``join`` the code of two codes together. Adds to ``weights[flush length, code,
    four of a kind]`` (shape 8 x codes x 2; no sum exceeds C(52,7) = 133,784,560) and
    to ``classes[0]``. Raises ValueError if the tables do not fit together.
    """
    cdef Py_ssize_t position, codes = join.shape[0]
    cdef Py_ssize_t lane, p0, p1, p2, p3, low, high
    cdef int s0, s1, s2, s3, rest, tie, shown, shown03
    cdef unsigned int common03, common
    cdef int64_t weight, counted = 0
    if first.shape[0] != 9 or first[8] != masks.shape[0] or first[8] != shows.shape[0]:
        raise ValueError("first, masks and shows do not describe the same sets of ranks")
    if join.shape[1] != codes or weights.shape[0] != 8 or weights.shape[1] != codes or weights.shape[2] != 2:
        raise ValueError("join and weights are not made for the same codes")
    for position in range(shows.shape[0]):
        if shows[position] >= codes:
            raise ValueError("shows has a code that join does not have")
    with nogil:
        for lane in range(start, stop):
            p0 = first[2] + lane
            s0 = 2
            while p0 < first[8]:
                while p0 >= first[s0 + 1]:
                    s0 += 1
                rest = 7 - s0
                for s1 in range((rest + 2) // 3, min(s0, rest) + 1):
                    for s2 in range((rest - s1 + 1) // 2, min(s1, rest - s1) + 1):
                        s3 = rest - s1 - s2
                        for p3 in range(first[s3], first[s3 + 1]):
                            shown03 = join[shows[p0], shows[p3]]
                            common03 = masks[p0] & masks[p3]
                            for p2 in range(max(p3, first[s2]), first[s2 + 1]):
                                shown = join[shown03, shows[p2]]
                                common = common03 & masks[p2]
                                tie = 4 if p2 == p3 else 0
                                low = max(p2, first[s1])
                                high = min(p0 + 1, first[s1 + 1])
                                if low < high:
                                    counted += high - low
                                for p1 in range(low, high):
                                    weight = WEIGHT[tie + 2 * (p1 == p2) + (p1 == p0)]
                                    if common == 0:
                                        weights[s0, join[shown, shows[p1]], 0] += weight
                                    else:
                                        weights[s0, join[shown, shows[p1]], (common & masks[p1]) != 0] += weight
                p0 += lanes
        classes[0] += counted
