"""Chase the Flush, shared by its kernels: tables of the masks of one suit's ranks.

A module that cimports this has its own tables and calls `prepare` once.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.string cimport memset

from binomials cimport BINOMIAL, fill_binomials

cdef enum:
    LISTED = 715           # C(13, 4): the longest list of a suit's board cards
    LOW = 0x7F             # ranks two to eight: a three-card flush of these does not qualify

cdef extern from *:
    """
    #include <stdint.h>

    static uint8_t SIZE[8192];
    static uint16_t PLACE[8192];
    static uint16_t MASK[14][1716];
    static uint8_t MEMBER[5][715][4];
    static int FIRST_FLUSH[8];
    static int32_t PLAIN[14][5][12];
    static uint16_t SUBSETS[4][1287][32];
    static int UPTO_SIZE[4][7];
    """
    uint8_t SIZE[8192]
    uint16_t PLACE[8192]             # among the masks of equal size, ascending
    uint16_t MASK[14][1716]
    uint8_t MEMBER[5][715][4]        # ranks of a listed subset, ascending
    int FIRST_FLUSH[8]               # place of the lowest flush of a length among all flushes
    # eight zeros, then the binomials of unseen cards for fewer than a limit of them
    int32_t PLAIN[14][5][12]
    # the subsets of a flush of two to five cards, smaller ones first, as indices in a suit's lists
    uint16_t SUBSETS[4][1287][32]
    int UPTO_SIZE[4][7]              # how many of them have fewer cards than the last index


cdef inline void prepare() noexcept:
    cdef int n, k, j
    fill_binomials()
    list_masks()
    FIRST_FLUSH[1] = 0
    for n in range(2, 8):
        FIRST_FLUSH[n] = FIRST_FLUSH[n - 1] + BINOMIAL[13][n - 1]
    memset(PLAIN, 0, sizeof(PLAIN))
    for n in range(14):
        for k in range(5):
            for j in range(k):
                PLAIN[n][k][8 + j] = BINOMIAL[n][j]
    for n in range(2, 6):
        for k in range(BINOMIAL[13][n]):
            list_subsets(MASK[n][k], n)


cdef inline void list_masks() noexcept:
    """Number the masks of each size, ascending."""
    cdef int mask, size, place, rank
    cdef int listed[14]
    memset(listed, 0, sizeof(listed))
    for mask in range(8192):
        size = 0
        for rank in range(13):
            size += mask >> rank & 1
        SIZE[mask] = size
        PLACE[mask] = listed[size]
        MASK[size][listed[size]] = mask
        listed[size] += 1
    for size in range(5):
        for place in range(BINOMIAL[13][size]):
            list_members(size, place)


cdef inline void list_members(int size, int place) noexcept:
    cdef int rank, member = 0
    for rank in range(13):
        if MASK[size][place] >> rank & 1:
            MEMBER[size][place][member] = rank
            member += 1


cdef inline void list_subsets(int flush, int length) noexcept:
    """The subsets of at most four cards of a flush, by size."""
    cdef int size, mask, listed = 0
    for size in range(5):
        UPTO_SIZE[length - 2][size] = listed
        mask = flush
        while True:
            if SIZE[mask] == size:
                SUBSETS[length - 2][PLACE[flush]][listed] = size * (LISTED + 1) + PLACE[mask]
                listed += 1
            if mask == 0:
                break
            mask = (mask - 1) & flush
    UPTO_SIZE[length - 2][5] = listed


cdef inline int best_flush(const int* hand) noexcept nogil:
    """``length << 13 | ranks``"""
    cdef int s, best = 0, flush
    for s in range(4):
        flush = SIZE[hand[s]] << 13 | hand[s]
        if flush > best:
            best = flush
    return best


cdef inline int place_of(int flush) noexcept nogil:
    """Return the index of ``length << 13 | ranks`` in the order of all flushes."""
    return FIRST_FLUSH[flush >> 13] + PLACE[flush & 0x1FFF]


cdef inline int top_rank(int flush) noexcept nogil:
    cdef int top = 12
    while not flush >> top & 1:
        top -= 1
    return top
