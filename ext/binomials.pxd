"""Binomial coefficients for one deck.

A module that cimports this has its own table and calls `fill_binomials` once.
"""

from libc.stdint cimport int32_t

cdef extern from *:
    """
    #include <stdint.h>
    static int32_t BINOMIAL[53][8];
    """
    int32_t BINOMIAL[53][8]    # [cards][cards chosen], at most C(52, 7) = 133,784,560 < 2^31


cdef inline void fill_binomials() noexcept nogil:
    cdef int n, k
    for n in range(53):
        BINOMIAL[n][0] = 1
        for k in range(1, 8):
            BINOMIAL[n][k] = 0 if n == 0 else BINOMIAL[n - 1][k - 1] + BINOMIAL[n - 1][k]
