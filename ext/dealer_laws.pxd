"""A dealer's law from any shoe, and arithmetic modulo primes, for the kernels of blackjack.

Residues are multiplied in Montgomery's form with R = 2^64; a prime is below 2^62.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

cdef extern from *:
    """
    typedef unsigned __int128 combin_u128;
    typedef __int128 combin_i128;
    """
    ctypedef unsigned long long u128 "combin_u128"
    ctypedef long long i128 "combin_i128"

cdef enum:
    CLASSES = 10
    OUTCOMES = 12         # 17 to 21, 22, 23 and more, blackjack, and four for the caller to subdivide others
    MOST_LENGTH = 16


cdef inline uint64_t reduce_wide(u128 x, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    # x / 2^64 modulo p, for x below p × 2^64: the sum below is then under 2 p × 2^64 < 2^127.
    cdef uint64_t m = <uint64_t> x * negative_inverse
    cdef uint64_t t = <uint64_t> ((x + <u128> m * p) >> 64)
    return t - p if t >= p else t


cdef inline uint64_t times(uint64_t a, uint64_t b, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    return reduce_wide(<u128> a * b, p, negative_inverse)


cdef inline void outcomes_of(
    const u128* cell, const int32_t[::1] cell_start, const int32_t[::1] cell_outcome, const int32_t[::1] cell_length,
    const int32_t[::1] cell_pairs, int own, int unseen, int longest, i128* by_outcome,
) noexcept nogil:
    """Cells summed by outcome, all over perm(unseen, longest): together at most that, below 416^12 < 2^105.

    ``own`` are the cards left of the class that the cells leave out, 0 where they leave out none.
    """
    cdef i128[MOST_LENGTH + 1] fill
    cdef uint64_t[MOST_LENGTH + 1] falling  # a factor of a product below 2^63; what is longer than any is not read
    cdef i128 part = 0
    cdef Py_ssize_t j, number = cell_start.shape[0] - 1
    cdef int k
    fill[longest] = 1
    for k in range(longest, 0, -1):
        fill[k - 1] = fill[k] * (unseen - k + 1)
    falling[0] = 1
    for k in range(1, MOST_LENGTH + 1):
        falling[k] = falling[k - 1] * <uint64_t> max(0, own - k + 1)
    memset(by_outcome, 0, OUTCOMES * sizeof(i128))
    for j in range(number):
        # Cells of an outcome and a length stand behind one another.
        part += <i128> cell[j] * falling[cell_pairs[j]]
        if j + 1 < number and cell_length[j + 1] == cell_length[j] and cell_outcome[j + 1] == cell_outcome[j]:
            continue
        if cell_length[j] <= longest:
            by_outcome[cell_outcome[j]] += part * fill[cell_length[j]]
        part = 0


cdef inline void dealer_law(
    const int32_t* left,
    const int32_t[::1] node_parent,
    const int32_t[::1] node_factor,
    const int32_t[::1] leaf_node,
    const int32_t[::1] leaf_orders,
    const int32_t[::1] cell_start,
    const int32_t[::1] factor_class,
    const int32_t[::1] factor_number,
    uint64_t* fall,
    uint64_t* product,
    u128* cell,
    int without,
) noexcept nogil:
    """Orders × falling factorials, summed for each cell (outcome, number of cards), except for the class ``without``.

    Products are at most those of the full shoe, which the caller keeps below 2^64. A cell is
    at most the number of ordered draws of its length, below 416^12 < 2^105 for eight decks.
    """
    cdef Py_ssize_t i, j
    cdef u128 total
    for i in range(factor_class.shape[0]):
        # The factors of a class are contiguous and ascending.
        if factor_class[i] == without:
            fall[i] = 1
        elif factor_number[i] == 1:
            fall[i] = left[factor_class[i]]
        elif left[factor_class[i]] < factor_number[i]:
            fall[i] = 0
        else:
            fall[i] = fall[i - 1] * <uint64_t> (left[factor_class[i]] - factor_number[i] + 1)
    product[0] = 1
    for i in range(1, node_parent.shape[0]):
        product[i] = product[node_parent[i]] * fall[node_factor[i]]
    for j in range(cell_start.shape[0] - 1):
        total = 0
        for i in range(cell_start[j], cell_start[j + 1]):
            total += <u128> product[leaf_node[i]] * <uint64_t> leaf_orders[i]
        cell[j] = total


cdef inline Py_ssize_t slot_of(uint64_t key, uint64_t* keys, Py_ssize_t mask) noexcept nogil:
    # Open addressing; a key is never all ones.
    cdef Py_ssize_t at = <Py_ssize_t> ((key * <uint64_t> 0x9E3779B97F4A7C15) >> 20) & mask
    while keys[at] != <uint64_t> -1 and keys[at] != key:
        at = (at + 1) & mask
    return at
