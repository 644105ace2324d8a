"""Binomial coefficients: one formula, and a table of it for one deck.

A module that cimports the table has its own and calls `fill_binomials` once.
"""

from libc.stdint cimport int32_t, int64_t

cdef extern from *:
    """
    #include <stdint.h>
    static int32_t BINOMIAL[53][8];
    """
    int32_t BINOMIAL[53][8]    # [cards][cards chosen], at most C(52, 7) = 133,784,560 < 2^31


cdef inline int64_t binomial(int64_t n, int k) noexcept nogil:
    """C(n, k); a step before the division is at most k <= 8 times the result, which callers hold below 2^59."""
    cdef int64_t result = 1
    cdef int i
    if n < k:
        return 0
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


cdef inline void fill_binomials() noexcept nogil:
    cdef int n, k
    for n in range(53):
        for k in range(8):
            BINOMIAL[n][k] = <int32_t> binomial(n, k)
