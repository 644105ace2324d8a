"""Two suits of three hands dealt together, from one suit and another.

A trait describes a hand's cards of one suit. The cards of two suits are a half of the hand.
"""

from libc.stdint cimport int32_t, int64_t

from doors cimport shaped, within


def combine(
    const int64_t[:, :, ::1] one, const int64_t[:, :, ::1] other,
    const int32_t[:, ::1] first, const int32_t[:, ::1] second, const int32_t[:, ::1] third,
    int64_t[:, :, ::1] pairs,
):
    """Add to ``pairs[half][half][half]`` the ways to deal two suits to three hands.

    ``one`` and ``other`` are the ways to deal a suit, ``[trait][trait][trait]``. ``first``, ``second`` and
    ``third`` give the half of two traits of a hand, -1 for none. 26 cards are dealt to three hands or to none in
    at most 4^26 ways, below 2^63.
    """
    cdef int a, b, c, d, e, f, i, j, k, most
    cdef int64_t ways
    cdef const int32_t[:, ::1] halves
    for most, halves in enumerate((first, second, third)):
        shaped(halves.shape[0] == one.shape[most] and halves.shape[1] == other.shape[most],
               "halves (traits of one, traits of other)")
        for a in range(halves.shape[0]):
            for b in range(halves.shape[1]):
                if halves[a, b] >= 0:
                    within(halves[a, b], halves[a, b] + 1, pairs.shape[most], "halves")
    with nogil:
        for a in range(one.shape[0]):
            for d in range(other.shape[0]):
                i = first[a, d]
                if i < 0:
                    continue
                for b in range(one.shape[1]):
                    for e in range(other.shape[1]):
                        j = second[b, e]
                        if j < 0:
                            continue
                        for c in range(one.shape[2]):
                            ways = one[a, b, c]
                            if ways == 0:
                                continue
                            for f in range(other.shape[2]):
                                k = third[c, f]
                                if k >= 0:
                                    pairs[i, j, k] += ways * other[d, e, f]
