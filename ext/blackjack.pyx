"""Blackjack: the values of every player hand against one upcard, from one shoe.

A dealer's hand is settled by its composition, and the number of orders that end in a
composition depends on the drawing rule alone. Behind any removed cards a dealer's law is
therefore a sum of orders × falling factorials. The compositions form a tree: a node adds
some cards of one class to its parent, and its product is one multiplication away.

Values are joint with "the dealer has no blackjack" where the dealer looks at the hole
card: no condition has to be divided out, and all choices of a hand share the factor.

Every value comes twice: as a double, by which a choice is made, and as residues modulo
several primes, from which the caller rebuilds the exact fraction. Residues are
multiplied in Montgomery's form with R = 2^64; a prime is below 2^62.

Where the time goes: some 1,100 nodes for a dealer's law on the average, two of their
three nanoseconds each in the products and one in the sums; 3,072 hands against ten
upcards are 30,000 laws and 0.1 s on one core. Residues add a tenth.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
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
    OUTCOMES = 8          # 17 to 21, 22, 23 and more, blackjack
    ROWS = 23             # player totals; row 22 is a hand that wins by its number of cards
    SLOTS = 4             # stand, hit, double, stand after a double
    MOST_LENGTH = 16
    NEED_STAND = 1
    NEED_DOUBLED = 2
    NEED_VALUE = 4
    NEED_ALL = 8          # every choice of the hand, not the chosen one alone
    MAY_HIT = 1
    MAY_DOUBLE = 2


cdef inline uint64_t reduce_wide(u128 x, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    # x / 2^64 modulo p, for x below p × 2^64: the sum below is then under 2 p × 2^64 < 2^127.
    cdef uint64_t m = <uint64_t> x * negative_inverse
    cdef uint64_t t = <uint64_t> ((x + <u128> m * p) >> 64)
    return t - p if t >= p else t


cdef inline uint64_t times(uint64_t a, uint64_t b, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    return reduce_wide(<u128> a * b, p, negative_inverse)


cdef struct Law:
    i128[MOST_LENGTH] by_length


cdef void dealer_law(
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
) noexcept nogil:
    """Orders × falling factorials, summed for each cell (outcome, number of cards).

    The caller bounds the products by those of the full shoe, below 2^64; a cell is at
    most the number of ordered draws of its length, below 416^12 < 2^105 for eight decks.
    """
    cdef Py_ssize_t i, j
    cdef u128 total
    for i in range(factor_class.shape[0]):
        # Factors of a class stand in ascending order behind one another.
        if factor_number[i] == 1:
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


def laws(
    const int32_t[:, ::1] shoes,
    const int32_t[::1] node_parent,
    const int32_t[::1] node_factor,
    const int32_t[::1] leaf_node,
    const int32_t[::1] leaf_orders,
    const int32_t[::1] cell_start,
    const int32_t[::1] factor_class,
    const int32_t[::1] factor_number,
    uint64_t[:, :, ::1] cells,
):
    """The dealer's law behind each shoe: ``cells[shoe, cell]`` is the count's low and high word."""
    cdef Py_ssize_t row, j
    cdef Py_ssize_t number = cell_start.shape[0] - 1
    cdef uint64_t* product = <uint64_t*> calloc(node_parent.shape[0], sizeof(uint64_t))
    cdef uint64_t* fall = <uint64_t*> calloc(factor_class.shape[0] + 1, sizeof(uint64_t))
    cdef u128* cell = <u128*> calloc(number, sizeof(u128))
    if product == NULL or fall == NULL or cell == NULL:
        free(product)
        free(fall)
        free(cell)
        raise MemoryError
    with nogil:
        for row in range(shoes.shape[0]):
            dealer_law(
                &shoes[row, 0], node_parent, node_factor, leaf_node, leaf_orders, cell_start,
                factor_class, factor_number, fall, product, cell,
            )
            for j in range(number):
                cells[row, j, 0] = <uint64_t> cell[j]
                cells[row, j, 1] = <uint64_t> (cell[j] >> 64)
    free(product)
    free(fall)
    free(cell)


def evaluate(
    const int32_t[::1] base,
    const int8_t[:, ::1] cards,
    const uint8_t[::1] row,
    const int32_t[:, ::1] child,
    const int32_t[::1] node_parent,
    const int32_t[::1] node_factor,
    const int32_t[::1] leaf_node,
    const int32_t[::1] leaf_orders,
    const int32_t[::1] cell_start,
    const int32_t[::1] cell_outcome,
    const int32_t[::1] cell_length,
    const int32_t[::1] factor_class,
    const int32_t[::1] factor_number,
    int peek,
    const int32_t[:, :, :, ::1] reward,
    const int32_t[:, ::1] bust,
    const uint8_t[::1] may,
    const uint8_t[::1] need,
    bint follow,
    int8_t[::1] choice,
    const double[:, ::1] weight,
    const uint64_t[:, ::1] primes,
    const uint64_t[:, :, ::1] inverse,
    double[:, :, ::1] value,
    uint64_t[:, :, :, ::1] residue,
):
    """The value of each choice of each hand; hands stand in descending order of their hard total.

    base       (10,): cards left by class behind the upcard and whatever else is gone, hands not yet taken out
    cards      (hands, 10): a hand's cards by class
    row        (hands,): the hand's row of ``reward``: its total, or 22
    child      (hands, 10): the hand with one more card, -1 where it busts
    node_... factor_number: the dealer's tree for this upcard
    peek       the class that makes the dealer's blackjack where the dealer looks, otherwise -1
    reward     (rewards, 2, 23, 8): what the hand's row gets against each outcome, not doubled and doubled
    bust       (rewards, 2): what a busted hand gets
    may        (hands,): bit 0 may hit, bit 1 may double
    need       (hands,): bit 0 stand, bit 1 stand after a double, bit 2 the value, bit 3 each choice
    follow     True: ``choice`` is read; False: the best by the first reward is written into it
    weight     (cards + 1, length + 1): 1 / perm(n, k)
    primes     (primes, 2): prime, -1 / prime modulo 2^64
    inverse    (primes, cards + 1, length + 1): 2^128 / perm(n, k) modulo the prime
    value      (hands, 4, rewards): stand, hit, double, stand after a double
    residue    (hands, 4, rewards, primes): the same modulo the primes
    """
    cdef Py_ssize_t h, j, hands = cards.shape[0]
    cdef int c, k, d, s, q, o, n, kid, best
    cdef int rewards = <int> reward.shape[0]
    cdef int moduli = <int> primes.shape[0]
    cdef int longest = <int> weight.shape[1] - 1
    cdef Py_ssize_t number = cell_start.shape[0] - 1
    cdef int32_t[CLASSES] left
    cdef Law law
    cdef i128 x
    cdef u128 wide
    cdef uint64_t p, ni, r, part
    cdef int64_t lost
    cdef double total
    cdef bint possible, every
    cdef uint64_t* product = <uint64_t*> calloc(node_parent.shape[0], sizeof(uint64_t))
    cdef uint64_t* fall = <uint64_t*> calloc(factor_class.shape[0] + 1, sizeof(uint64_t))
    cdef u128* cell = <u128*> calloc(number, sizeof(u128))
    if product == NULL or fall == NULL or cell == NULL:
        free(product)
        free(fall)
        free(cell)
        raise MemoryError
    with nogil:
        for h in range(hands):
            if not need[h]:
                continue
            n = 0
            possible = True
            for c in range(CLASSES):
                left[c] = base[c] - cards[h, c]
                n += left[c]
                if left[c] < 0:
                    possible = False
            if not possible:
                continue
            every = not follow or need[h] & NEED_ALL
            # Standing, with one stake or two.
            if every or need[h] & (NEED_STAND | NEED_DOUBLED):
                dealer_law(
                    left, node_parent, node_factor, leaf_node, leaf_orders, cell_start,
                    factor_class, factor_number, fall, product, cell,
                )
                for d in range(2):
                    if not every and not need[h] & (NEED_DOUBLED if d else NEED_STAND):
                        continue
                    s = 3 if d else 0
                    for k in range(rewards):
                        memset(&law, 0, sizeof(Law))
                        for j in range(number):
                            o = reward[k, d, row[h], cell_outcome[j]]
                            if o:
                                law.by_length[cell_length[j]] += <i128> cell[j] * o
                        total = 0
                        for j in range(1, longest + 1):
                            if law.by_length[j]:
                                total += <double> law.by_length[j] * weight[n, j]
                        value[h, s, k] = total
                        for q in range(moduli):
                            p = primes[q, 0]
                            ni = primes[q, 1]
                            r = 0
                            for j in range(1, longest + 1):
                                x = law.by_length[j]
                                if not x:
                                    continue
                                # |x| is below 2^107, p × 2^64 above 2^125.
                                wide = <u128> (x if x > 0 else -x)
                                part = times(reduce_wide(wide, p, ni), inverse[q, n, j], p, ni)
                                if x < 0 and part:
                                    part = p - part
                                r += part
                                if r >= p:
                                    r -= p
                            residue[h, s, k, q] = r
            # One card more: for s = 1 the hand goes on, for s = 2 it stands with two stakes.
            for s in range(1, 3):
                if not may[h] & (MAY_DOUBLE if s == 2 else MAY_HIT):
                    continue
                if not every and choice[h] != s:
                    continue
                lost = 0   # ordered pairs of a card that busts and a card that is no dealer's blackjack
                for c in range(CLASSES):
                    if child[h, c] < 0 and left[c]:
                        lost += <int64_t> left[c] * (
                            n - 1 if peek < 0 else n - 1 - left[peek] + (1 if c == peek else 0)
                        )
                for k in range(rewards):
                    total = 0
                    for c in range(CLASSES):
                        kid = child[h, c]
                        if kid >= 0 and left[c]:
                            total += left[c] * value[kid, choice[kid] if s == 1 else 3, k]
                    total *= weight[n, 1]
                    if lost and bust[k, s - 1]:
                        total += lost * weight[n, 2] * bust[k, s - 1]
                    value[h, s, k] = total
                    for q in range(moduli):
                        p = primes[q, 0]
                        ni = primes[q, 1]
                        wide = 0   # at most 416 × 2^62
                        for c in range(CLASSES):
                            kid = child[h, c]
                            if kid >= 0 and left[c]:
                                wide += <u128> residue[kid, choice[kid] if s == 1 else 3, k, q] * <uint64_t> left[c]
                        r = times(reduce_wide(wide, p, ni), inverse[q, n, 1], p, ni)
                        if lost and bust[k, s - 1]:
                            x = <i128> lost * bust[k, s - 1]
                            wide = <u128> (x if x > 0 else -x)
                            part = times(reduce_wide(wide, p, ni), inverse[q, n, 2], p, ni)
                            if x < 0 and part:
                                part = p - part
                            r += part
                            if r >= p:
                                r -= p
                        residue[h, s, k, q] = r
            if not follow:
                best = 0
                for s in range(1, 3):
                    if may[h] & (MAY_DOUBLE if s == 2 else MAY_HIT) and value[h, s, 0] > value[h, best, 0]:
                        best = s
                choice[h] = best
    free(product)
    free(fall)
    free(cell)


def mark(const int32_t[:, ::1] child, const int8_t[::1] choice, uint8_t[::1] need):
    """Spread ``need`` from the hands that are marked to all that a play of ``choice`` looks at."""
    cdef Py_ssize_t h
    cdef int c
    cdef uint8_t flag
    with nogil:
        for h in range(child.shape[0] - 1, -1, -1):
            if not need[h] & NEED_VALUE:
                continue
            if choice[h] == 0:
                need[h] |= NEED_STAND
                continue
            flag = NEED_DOUBLED if choice[h] == 2 else NEED_VALUE
            for c in range(CLASSES):
                if child[h, c] >= 0:
                    need[child[h, c]] |= flag
