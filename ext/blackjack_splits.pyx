"""Blackjack: the mean product of the results of two hands of a split, for the variance of a round.

A product of a coefficient and a dealer's orders takes up to 176 bits. It is summed in 192 bits
and reduced once for each prime.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from dealer_laws cimport (
    CLASSES, OUTCOMES, Walk, begin, i128, outcomes_of, reduce_wide, slot_of, times, u128, walk_to,
)
from doors cimport shaped

cdef extern from *:
    """
    typedef unsigned __int128 combin_u128;
    typedef struct { unsigned long long low, mid; long long high; } combin_wide;
    /* to += x * t, in 192 bits of two's complement */
    static inline void combin_add_product(combin_wide* to, long long x, combin_u128 t) {
        unsigned long long a = x < 0 ? 0 - (unsigned long long) x : (unsigned long long) x;
        combin_u128 low = (combin_u128) (unsigned long long) t * a;
        combin_u128 high = (combin_u128) (unsigned long long) (t >> 64) * a + (unsigned long long) (low >> 64);
        combin_u128 sum;
        if (x < 0) {
            sum = (combin_u128) to->low - (unsigned long long) low;
            to->low = (unsigned long long) sum;
            sum = (combin_u128) to->mid - (unsigned long long) high - (sum >> 64 ? 1 : 0);
            to->mid = (unsigned long long) sum;
            to->high = (long long) ((unsigned long long) to->high - (unsigned long long) (high >> 64)
                                    - (sum >> 64 ? 1 : 0));
        } else {
            sum = (combin_u128) to->low + (unsigned long long) low;
            to->low = (unsigned long long) sum;
            sum = (combin_u128) to->mid + (unsigned long long) high + (unsigned long long) (sum >> 64);
            to->mid = (unsigned long long) sum;
            to->high = (long long) ((unsigned long long) to->high + (unsigned long long) (high >> 64)
                                    + (unsigned long long) (sum >> 64));
        }
    }
    """
    ctypedef struct Wide "combin_wide":
        uint64_t low
        uint64_t mid
        int64_t high
    void add_product "combin_add_product"(Wide* to, int64_t x, u128 t) noexcept nogil


cdef inline uint64_t reduce_widest(Wide x, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    # x / 2^128 modulo p, for |x| below 2^187, whose upper words are then below p × 2^64.
    cdef bint minus = x.high < 0
    cdef u128 upper
    cdef uint64_t low, r
    if minus:
        low = 0 - x.low
        upper = ~(<u128> <uint64_t> x.high << 64 | x.mid) + (1 if x.low == 0 else 0)
    else:
        low = x.low
        upper = <u128> <uint64_t> x.high << 64 | x.mid
    r = reduce_wide(upper, p, negative_inverse)
    r += reduce_wide(reduce_wide(low, p, negative_inverse), p, negative_inverse)
    if r >= p:
        r -= p
    return p - r if minus and r else r


def pair_moments(
    const int32_t[::1] base,
    const int64_t[:, ::1] weight,
    const uint64_t[::1] code,
    const int64_t[:, ::1] ways,
    const int32_t[:, ::1] result,
    const uint64_t[::1] gone,
    tree,
    const uint64_t[:, ::1] primes,
    const uint64_t[:, :, ::1] inverse,
    uint64_t[::1] residue,
):
    """Write the expected product of the results of two hands of a split, modulo the primes.

    base    (10,): cards left without the upcard and the pair
    weight  (further + 1, 3): the weights if 0 .. further pair cards more are out: both hands any, one of them
            without the pair's card as second card, both without it
    code    (states,): cards of a final hand after its first one, 6 bits per class in the tree's order, the last lowest
    ways    (states, 2): their orders, all and those whose first card is not the pair's
    result  (states, 12): the hand's result against each outcome of the dealer
    gone    (sums,): the sums of two codes, and those with up to ``further`` pair cards more, ascending
    tree    the `DealerTree` of this upcard, the pair last
    residue (primes,)

    Two hands and the dealer draw from one shoe: pairs that remove the same cards share a
    distribution. A weighted coefficient is at most (Σ ways)² × 16 × Σ |weight|, which the caller
    bounds below 2^63; with the dealer's orders, together below 416^12 < 2^105, it takes 168 bits.
    """
    shaped(base.shape[0] == CLASSES and weight.shape[0] > 0 and weight.shape[1] == 3,
           "base (10,), weight (further + 1, 3)")
    shaped(ways.shape[0] == code.shape[0] and ways.shape[1] == 2 and result.shape[0] == code.shape[0]
           and result.shape[1] == OUTCOMES, "code (states,), ways (states, 2), result (states, 12)")
    shaped(primes.shape[1] == 2 and inverse.shape[0] == primes.shape[0] and residue.shape[0] == primes.shape[0],
           "primes (primes, 2), inverse (primes, ...) and residue (primes,)")
    cdef Py_ssize_t n = code.shape[0], sums = gone.shape[0], i, j, row, size = 1
    cdef int c, o, k, q, m, first, length, outcomes = 0, longest = 0, total = 0
    cdef int moduli = <int> primes.shape[0], further = <int> weight.shape[0] - 1
    cdef uint64_t p, ni, r, part, one
    cdef uint64_t* chance
    cdef int64_t x, both
    cdef int64_t* to
    cdef int32_t[CLASSES] left
    cdef int32_t[CLASSES] cards
    cdef Walk walk
    cdef int[OUTCOMES] outcome     # those against which any hand counts
    cdef int64_t[OUTCOMES] number_of
    cdef bint possible, counts
    cdef i128[OUTCOMES] together
    cdef Wide wide
    while size < 2 * sums + 2:
        size *= 2
    begin(&walk, tree)
    cdef uint64_t* keys = <uint64_t*> calloc(size, sizeof(uint64_t))
    cdef int32_t* place = <int32_t*> calloc(size, sizeof(int32_t))
    cdef int64_t* coefficient = <int64_t*> calloc(sums * 3 * OUTCOMES, sizeof(int64_t))
    cdef uint64_t* falls = <uint64_t*> calloc(moduli * CLASSES * 64, sizeof(uint64_t))
    cdef uint64_t* ends = <uint64_t*> calloc(moduli * 64 * CLASSES, sizeof(uint64_t))
    cdef uint64_t* chances = <uint64_t*> calloc(moduli * (CLASSES + 1), sizeof(uint64_t))
    cdef bint failed = (
        keys == NULL or place == NULL or coefficient == NULL or falls == NULL or ends == NULL or chances == NULL
    )
    cdef bint unknown = False
    with nogil:
        for j in range(walk.cells):
            longest = max(longest, walk.cell_length[j])
        for o in range(OUTCOMES):
            counts = False
            for i in range(n):
                counts = counts or result[i, o] != 0
            if counts:
                outcome[outcomes] = o
                outcomes += 1
        for c in range(CLASSES):
            total += base[c]
        # The probability of cards in one order is Π falling / perm: tables of both, in Montgomery's form.
        for q in range(0 if failed else moduli):
            p = primes[q, 0]
            ni = primes[q, 1]
            one = inverse[q, 0, 0]  # 2^128 modulo p: perm(n, 0) is 1
            for c in range(CLASSES):
                part = times(1, one, p, ni)
                for k in range(64):
                    falls[(q * CLASSES + c) * 64 + k] = part
                    part = times(part, times(<uint64_t> max(0, base[c] - k), one, p, ni), p, ni)
            part = times(1, one, p, ni)
            chances[q * (CLASSES + 1)] = part
            for k in range(min(total, 64 * CLASSES)):
                # The dealer's orders stand over perm(n, longest) behind the hands.
                ends[q * 64 * CLASSES + k] = times(part, inverse[q, total - k, min(total - k, longest)], p, ni)
                part = times(part, reduce_wide(inverse[q, total - k, 1], p, ni), p, ni)
        if not failed:
            memset(keys, 255, size * sizeof(uint64_t))
            for row in range(sums):
                i = slot_of(gone[row], keys, size - 1)
                keys[i] = gone[row]
                place[i] = <int32_t> row
        for i in range(0 if failed else n):
            for j in range(i + 1):
                row = slot_of(code[i] + code[j], keys, size - 1)
                if keys[row] == <uint64_t> -1:
                    unknown = True
                    continue
                to = coefficient + <Py_ssize_t> place[row] * 3 * outcomes
                both = 1 if i == j else 2  # either order
                for k in range(outcomes):
                    x = <int64_t> result[i, outcome[k]] * result[j, outcome[k]]
                    if x:
                        to[k] += both * ways[i, 0] * ways[j, 0] * x
                        to[outcomes + k] += (ways[i, 1] * ways[j, 0] + (both - 1) * ways[j, 1] * ways[i, 0]) * x
                        to[2 * outcomes + k] += both * ways[i, 1] * ways[j, 1] * x
        for row in range(0 if failed else sums):
            possible = True
            length = 0
            for k in range(CLASSES):
                c = walk.order[k]
                cards[c] = <int32_t> (gone[row] >> (6 * (CLASSES - 1 - k))) & 63
                left[c] = base[c] - cards[c]
                length += cards[c]
                possible = possible and left[c] >= 0
            if not possible or length >= total:
                continue
            memset(number_of, 0, sizeof(number_of))
            i = row
            for m in range(min(further, cards[walk.order[CLASSES - 1]]) + 1):
                while i > 0 and gone[i] > gone[row] - <uint64_t> m:
                    i -= 1
                if gone[i] == gone[row] - <uint64_t> m:
                    to = coefficient + i * 3 * outcomes
                    for k in range(outcomes):
                        number_of[k] += (
                            weight[m, 0] * to[k] + weight[m, 1] * to[outcomes + k] + weight[m, 2] * to[2 * outcomes + k]
                        )
            counts = False
            for k in range(outcomes):
                counts = counts or number_of[k] != 0
            if not counts:
                continue
            first = walk_to(left, &walk)
            for q in range(moduli):
                chance = chances + q * (CLASSES + 1)
                for k in range(first, CLASSES):
                    c = walk.order[k]
                    part = falls[(q * CLASSES + c) * 64 + cards[c]]
                    chance[k + 1] = times(chance[k], part, primes[q, 0], primes[q, 1])
            outcomes_of(&walk, total - length, min(total - length, longest), together)
            memset(&wide, 0, sizeof(Wide))
            for k in range(outcomes):
                add_product(&wide, number_of[k], <u128> together[outcome[k]])
            for q in range(moduli):
                p = primes[q, 0]
                ni = primes[q, 1]
                part = times(chances[q * (CLASSES + 1) + CLASSES], ends[q * 64 * CLASSES + length], p, ni)
                r = residue[q] + times(reduce_widest(wide, p, ni), part, p, ni)
                residue[q] = r - p if r >= p else r
        # The reductions above took 2^-64 more than the reciprocals give back.
        for q in range(0 if failed else moduli):
            residue[q] = times(residue[q], inverse[q, 0, 0], primes[q, 0], primes[q, 1])
    free(falls)
    free(ends)
    free(chances)
    free(keys)
    free(place)
    free(coefficient)
    free(walk.sums)
    if failed:
        raise MemoryError
    if unknown:
        raise ValueError("gone does not have every sum of two codes")
