"""Blackjack: the mean product of the results of two hands of a split, for the variance of a round.

A product of a coefficient and a dealer's orders takes up to 176 bits. It is summed in 192 bits
and reduced once for each prime.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from dealer_laws cimport CLASSES, OUTCOMES, dealer_law, i128, outcomes_of, reduce_wide, slot_of, times, u128
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
    int pair,
    const int64_t[:, ::1] weight,
    const int32_t[:, ::1] states,
    const int64_t[:, ::1] ways,
    const int32_t[:, ::1] result,
    const int32_t[::1] node_parent,
    const int32_t[::1] node_factor,
    const int32_t[::1] leaf_node,
    const int32_t[::1] leaf_orders,
    const int32_t[::1] cell_start,
    const int32_t[::1] cell_outcome,
    const int32_t[::1] cell_length,
    const int32_t[::1] cell_pairs,
    const int32_t[::1] factor_class,
    const int32_t[::1] factor_number,
    const uint64_t[:, ::1] primes,
    const uint64_t[:, :, ::1] inverse,
    uint64_t[:, ::1] residue,
):
    """The expected product of the results of two hands of a split, modulo the primes.

    base    (10,): cards left behind the upcard and the pair
    pair    the pair's class
    weight  (gone + 1, 3): what counts where 0 .. gone further cards of it are out: both hands any, one of them
            without the pair's card as second card, both without it
    states  (states, 10): cards of a finished hand behind its first one
    ways    (states, 2): orders in which they come, all and those whose first card is not the pair's
    result  (states, 12): the hand's result against each outcome of the dealer
    residue (gone + 1, primes)

    The leaves of the dealer's tree are also divided by the number of the pair's cards
    (``cell_pairs``): all shoes of one sum share the products of the other classes.

    Two hands and the dealer draw from one shoe: states with the same sum of cards share a
    law. A weighted coefficient is at most (Σ ways)² × 16 × Σ |weight|, which the caller
    bounds below 2^63; with the dealer's orders, below 416^12 < 2^105, it takes 172 bits,
    and twelve outcomes take 176.
    """
    shaped(base.shape[0] == CLASSES and 0 <= pair < CLASSES and weight.shape[0] > 0
           and weight.shape[1] == 3, "base (10,), pair one of 10, weight (gone + 1, 3)")
    shaped(states.shape[1] == CLASSES and ways.shape[0] == states.shape[0] and ways.shape[1] == 2
           and result.shape[0] == states.shape[0] and result.shape[1] == OUTCOMES,
           "states (states, 10), ways (states, 2), result (states, 12)")
    shaped(node_factor.shape[0] == node_parent.shape[0] and leaf_orders.shape[0] == leaf_node.shape[0]
           and factor_number.shape[0] == factor_class.shape[0] and cell_start.shape[0] > 0,
           "a dealer's tree with nodes, leaves and factors in pairs")
    shaped(cell_outcome.shape[0] == cell_start.shape[0] - 1 and cell_length.shape[0] == cell_outcome.shape[0]
           and cell_pairs.shape[0] == cell_outcome.shape[0], "cell_outcome, cell_length and cell_pairs (cells,)")
    shaped(primes.shape[1] == 2 and inverse.shape[0] == primes.shape[0] and residue.shape[0] == weight.shape[0]
           and residue.shape[1] == primes.shape[0],
           "primes (primes, 2), inverse (primes, ...) and residue (gone + 1, primes)")
    cdef Py_ssize_t n = states.shape[0], i, j, at, start, size = 1, used = 0
    cdef int gone = <int> weight.shape[0] - 1
    cdef int c, o, k, q, m, length, left_size, outcomes = 0
    cdef int moduli = <int> primes.shape[0]
    cdef Py_ssize_t number = cell_start.shape[0] - 1
    cdef uint64_t p, ni, r, part, chance, one
    cdef int64_t x, both
    cdef int32_t[CLASSES] left
    cdef int32_t[CLASSES] cards
    cdef int[OUTCOMES] outcome     # those against which any hand counts
    cdef bint possible, counts
    while size < n * (n + 1) + 2:  # twice the greatest number of sums
        size *= 2
    cdef uint64_t* keys = <uint64_t*> calloc(size, sizeof(uint64_t))
    cdef int32_t* place = <int32_t*> calloc(size, sizeof(int32_t))
    cdef int64_t* coefficient = NULL
    cdef uint64_t* code = <uint64_t*> calloc(n + 1, sizeof(uint64_t))
    cdef uint64_t* product = <uint64_t*> calloc(node_parent.shape[0], sizeof(uint64_t))
    cdef uint64_t* fall = <uint64_t*> calloc(factor_class.shape[0] + 1, sizeof(uint64_t))
    cdef u128* cell = <u128*> calloc(number, sizeof(u128))
    cdef int total
    cdef uint64_t* falls = <uint64_t*> calloc(moduli * CLASSES * 64, sizeof(uint64_t))
    cdef uint64_t* owns = <uint64_t*> calloc(moduli * (gone + 1) * 64, sizeof(uint64_t))
    cdef uint64_t* chances = <uint64_t*> calloc(moduli * (gone + 1) * 64, sizeof(uint64_t))
    cdef uint64_t* order = <uint64_t*> calloc(moduli, sizeof(uint64_t))
    cdef i128[OUTCOMES] together
    cdef Wide wide
    cdef int longest = 0
    cdef bint failed = (
        keys == NULL or place == NULL or code == NULL or product == NULL or fall == NULL or cell == NULL
        or falls == NULL or owns == NULL or chances == NULL or order == NULL
    )
    with nogil:
        for j in range(number):
            longest = max(longest, cell_length[j])
        for o in range(OUTCOMES):
            counts = False
            for i in range(n):
                counts = counts or result[i, o] != 0
            if counts:
                outcome[outcomes] = o
                outcomes += 1
        # The probability of cards in one order is Π falling / perm: tables of both, in Montgomery's form.
        total = 0
        for c in range(CLASSES):
            total += base[c]
        for q in range(0 if failed else moduli):
            p = primes[q, 0]
            ni = primes[q, 1]
            one = inverse[q, 0, 0]  # 2^128 modulo p: perm(n, 0) is 1
            for c in range(CLASSES):
                part = times(1, one, p, ni)
                for k in range(64):
                    falls[(q * CLASSES + c) * 64 + k] = part
                    part = times(part, times(<uint64_t> max(0, base[c] - k), one, p, ni), p, ni)
            for m in range(gone + 1):
                part = times(1, one, p, ni)
                chance = part
                for k in range(64):
                    owns[(q * (gone + 1) + m) * 64 + k] = part
                    part = times(part, times(<uint64_t> max(0, base[pair] - m - k), one, p, ni), p, ni)
                    # The dealer's orders stand over perm(n, longest) behind the hands.
                    if total - m - k > 0:
                        chances[(q * (gone + 1) + m) * 64 + k] = times(
                            chance, inverse[q, total - m - k, min(total - m - k, longest)], p, ni
                        )
                        chance = times(chance, reduce_wide(inverse[q, total - m - k, 1], p, ni), p, ni)
        if not failed:
            memset(keys, 255, size * sizeof(uint64_t))
        for i in range(0 if failed else n):
            for c in range(CLASSES):
                code[i] |= <uint64_t> states[i, c] << (6 * c)
        for i in range(n):
            if failed:
                break
            for j in range(i + 1):
                at = slot_of(code[i] + code[j], keys, size - 1)
                if keys[at] == <uint64_t> -1:
                    keys[at] = code[i] + code[j]
                    place[at] = <int32_t> used
                    used += 1
        if not failed:
            coefficient = <int64_t*> calloc(used * 3 * OUTCOMES, sizeof(int64_t))
            failed = coefficient == NULL
        for i in range(n):
            if failed:
                break
            for j in range(i + 1):
                start = <Py_ssize_t> place[slot_of(code[i] + code[j], keys, size - 1)] * 3 * OUTCOMES
                both = 1 if i == j else 2  # either order
                for k in range(outcomes):
                    x = <int64_t> result[i, outcome[k]] * result[j, outcome[k]]
                    if x:
                        coefficient[start + k] += both * ways[i, 0] * ways[j, 0] * x
                        coefficient[start + OUTCOMES + k] += (
                            ways[i, 1] * ways[j, 0] + (both - 1) * ways[j, 1] * ways[i, 0]
                        ) * x
                        coefficient[start + 2 * OUTCOMES + k] += both * ways[i, 1] * ways[j, 1] * x
        for at in range(size):
            if failed or keys[at] == <uint64_t> -1:
                continue
            length = 0
            for c in range(CLASSES):
                cards[c] = <int32_t> (keys[at] >> (6 * c)) & 63
                length += cards[c]
            possible = True
            left_size = 0
            for c in range(CLASSES):
                left[c] = base[c] - cards[c]
                left_size += left[c]
                if left[c] < 0:
                    possible = False
            if not possible:
                continue
            dealer_law(
                left, node_parent, node_factor, leaf_node, leaf_orders, cell_start,
                factor_class, factor_number, fall, product, cell, pair,
            )
            for q in range(moduli):
                order[q] = 0  # not yet known: no product of at most 62 cards of a shoe is 0 modulo so great a prime
            for m in range(min(gone, left[pair]) + 1):
                outcomes_of(
                    cell, cell_start, cell_outcome, cell_length, cell_pairs,
                    left[pair] - m, left_size - m, min(left_size - m, longest), together,
                )
                start = <Py_ssize_t> place[at] * 3 * OUTCOMES
                memset(&wide, 0, sizeof(Wide))
                for k in range(outcomes):
                    x = (
                        weight[m, 0] * coefficient[start + k] + weight[m, 1] * coefficient[start + OUTCOMES + k]
                        + weight[m, 2] * coefficient[start + 2 * OUTCOMES + k]
                    )
                    if x:
                        add_product(&wide, x, <u128> together[outcome[k]])
                if not (wide.low or wide.mid or wide.high):
                    continue
                for q in range(moduli):
                    p = primes[q, 0]
                    ni = primes[q, 1]
                    if not order[q]:
                        order[q] = falls[q * CLASSES * 64]
                        for c in range(CLASSES):
                            if cards[c] and c != pair:
                                order[q] = times(order[q], falls[(q * CLASSES + c) * 64 + cards[c]], p, ni)
                    chance = times(order[q], owns[(q * (gone + 1) + m) * 64 + cards[pair]], p, ni)
                    chance = times(chance, chances[(q * (gone + 1) + m) * 64 + length], p, ni)
                    r = residue[m, q] + times(reduce_widest(wide, p, ni), chance, p, ni)
                    residue[m, q] = r - p if r >= p else r
        # The reductions above took 2^-64 more than the reciprocals give back.
        for m in range(gone + 1):
            for q in range(0 if failed else moduli):
                residue[m, q] = times(residue[m, q], inverse[q, 0, 0], primes[q, 0], primes[q, 1])
    free(order)
    free(falls)
    free(owns)
    free(chances)
    free(keys)
    free(place)
    free(coefficient)
    free(code)
    free(product)
    free(fall)
    free(cell)
    if failed:
        raise MemoryError
    return used
