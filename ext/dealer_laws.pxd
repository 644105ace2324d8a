"""A dealer's distribution from any shoe, and arithmetic modulo primes, for the kernels of blackjack.

Residues are multiplied in Montgomery's form with R = 2^64; a prime is below 2^62.

A distribution is a sum over the dealer's final hands of orders × falling factorials of the cards
left. It is computed one class after the other: each step multiplies the sums so far by the
falling factorials of its class and adds up terms that differ only in it. Shoes in the order of
the steps repeat the first ones, so that most distributions take one or two steps.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memset

from doors cimport shaped

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


cdef struct Walk:
    # A dealer's tree, and its sums of every step for the cards ``at``.
    Py_ssize_t cells
    const int32_t* order
    const int32_t* width
    const int32_t* most
    const uint8_t* number
    const int32_t* start
    const int32_t* cell_outcome
    const int32_t* cell_length
    int32_t[CLASSES] at
    u128* sums
    u128* cell           # the last of the sums


cdef inline int begin(Walk* walk, tree) except -1:
    """Read a `DealerTree`, which the caller holds, before the first cards; the caller frees ``walk.sums``."""
    cdef const int32_t[::1] order = tree.order, width = tree.width, most = tree.most, start = tree.start
    cdef const int32_t[::1] orders = tree.orders, cell_outcome = tree.cell_outcome, cell_length = tree.cell_length
    cdef const uint8_t[::1] number = tree.number
    cdef Py_ssize_t i, sums = 0, starts = 0
    cdef bint fits = order.shape[0] == CLASSES and most.shape[0] == CLASSES and width.shape[0] == CLASSES + 1
    for i in range(CLASSES if fits else 0):
        fits = fits and 0 <= order[i] < CLASSES and most[i] <= MOST_LENGTH and 1 <= width[i + 1] <= width[i]
        sums += width[i]
        starts += width[i + 1] + 1
    shaped(fits and number.shape[0] == sums and start.shape[0] == starts and orders.shape[0] == width[0]
           and cell_outcome.shape[0] == width[CLASSES] and cell_length.shape[0] == width[CLASSES],
           "a dealer's tree of ten steps")
    walk.cells = width[CLASSES]
    walk.order, walk.width, walk.most, walk.number, walk.start = &order[0], &width[0], &most[0], &number[0], &start[0]
    walk.cell_outcome, walk.cell_length = &cell_outcome[0], &cell_length[0]
    walk.sums = <u128*> calloc(sums + walk.cells, sizeof(u128))
    if walk.sums == NULL:
        raise MemoryError
    walk.cell = walk.sums + sums
    for i in range(orders.shape[0]):
        walk.sums[i] = orders[i]
    for i in range(CLASSES):
        walk.at[i] = -1
    return 0


cdef inline int walk_to(const int32_t* left, Walk* walk) noexcept nogil:
    """Update the sums of every step for the cards ``left``; return the first step that changed.

    Sums are modulo 2^128. A cell, the last of them, is at most the number of ordered draws of
    its length, below 416^12 < 2^105 for eight decks. A falling factorial is at most the product
    of a hand in the full shoe, which the caller keeps below 2^63.
    """
    cdef uint64_t[MOST_LENGTH + 1] fall
    cdef int first = 0, i, c, k
    cdef Py_ssize_t j, t
    cdef u128 total
    cdef u128* before = walk.sums
    cdef u128* after
    cdef const uint8_t* drawn = walk.number
    cdef const int32_t* begins = walk.start
    while first < CLASSES and left[walk.order[first]] == walk.at[walk.order[first]]:
        first += 1
    for i in range(CLASSES):
        after = before + walk.width[i]
        if i >= first:
            c = walk.order[i]
            walk.at[c] = left[c]
            fall[0] = 1
            for k in range(1, walk.most[i] + 1):
                fall[k] = fall[k - 1] * <uint64_t> max(0, left[c] - k + 1)
            for t in range(walk.width[i + 1]):
                total = 0
                for j in range(begins[t], begins[t + 1]):
                    total += before[j] * fall[drawn[j]]
                after[t] = total
        drawn += walk.width[i]
        begins += walk.width[i + 1] + 1
        before = after
    return first


cdef inline void outcomes_of(const Walk* walk, int unseen, int longest, i128* by_outcome) noexcept nogil:
    """Sum the cells by outcome, all over perm(unseen, longest): in total at most that, below 416^12 < 2^105."""
    cdef i128[MOST_LENGTH + 1] fill
    cdef Py_ssize_t j
    cdef int k
    fill[longest] = 1
    for k in range(longest, 0, -1):
        fill[k - 1] = fill[k] * (unseen - k + 1)
    memset(by_outcome, 0, OUTCOMES * sizeof(i128))
    for j in range(walk.cells):
        if walk.cell_length[j] <= longest:
            by_outcome[walk.cell_outcome[j]] += <i128> walk.cell[j] * fill[walk.cell_length[j]]


cdef inline Py_ssize_t slot_of(uint64_t key, uint64_t* keys, Py_ssize_t mask) noexcept nogil:
    # Open addressing; a key is never all ones.
    cdef Py_ssize_t at = <Py_ssize_t> ((key * <uint64_t> 0x9E3779B97F4A7C15) >> 20) & mask
    while keys[at] != <uint64_t> -1 and keys[at] != key:
        at = (at + 1) & mask
    return at
