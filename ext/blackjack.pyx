"""Blackjack: the values of every player hand against one upcard, from one shoe.

The composition of a dealer's hand decides its outcome. How many draw orders end in a
composition depends on the drawing rule alone. For any removed cards the dealer's law is
therefore a sum of orders × falling factorials. The compositions form a tree: a node adds
some cards of one class to its parent, and its product needs one multiplication.

If the dealer peeks, values are joint with "the dealer has no blackjack". They are not
divided by its probability: all choices of a hand share that factor.

Every value comes twice: as a double, by which a choice is made, and as residues modulo
several primes, from which the caller rebuilds the exact fraction. Residues are
multiplied in Montgomery's form with R = 2^64; a prime is below 2^62.

Where the time goes: a dealer's law has some 1,100 nodes of three nanoseconds on average,
two for the product and one for the sum. 3,072 hands against ten upcards are 30,000 laws
and 0.1 s on one core. Residues add a tenth.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from doors cimport shaped

cdef extern from *:
    """
    typedef unsigned __int128 combin_u128;
    typedef __int128 combin_i128;
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
    ctypedef unsigned long long u128 "combin_u128"
    ctypedef long long i128 "combin_i128"
    ctypedef struct Wide "combin_wide":
        uint64_t low
        uint64_t mid
        int64_t high
    void add_product "combin_add_product"(Wide* to, int64_t x, u128 t) noexcept nogil

cdef enum:
    CLASSES = 10
    OUTCOMES = 12         # 17 to 21, 22, 23 and more, blackjack, and four for the caller to subdivide others
    ROWS = 23             # player totals; row 22 is a hand that wins by its number of cards
    SLOTS = 4             # stand, hit, double, stand after a double
    MOST_LENGTH = 16
    NEED_STAND = 1
    NEED_DOUBLED = 2
    NEED_VALUE = 4
    NEED_ALL = 8          # every choice of the hand, and not only the chosen one
    MAY_HIT = 1
    MAY_DOUBLE = 2


cdef inline uint64_t reduce_wide(u128 x, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    # x / 2^64 modulo p, for x below p × 2^64: the sum below is then under 2 p × 2^64 < 2^127.
    cdef uint64_t m = <uint64_t> x * negative_inverse
    cdef uint64_t t = <uint64_t> ((x + <u128> m * p) >> 64)
    return t - p if t >= p else t


cdef inline uint64_t times(uint64_t a, uint64_t b, uint64_t p, uint64_t negative_inverse) noexcept nogil:
    return reduce_wide(<u128> a * b, p, negative_inverse)


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


cdef class Kept:
    """A cache of the values of standing for one upcard by the cards left, for one thread.

    It is cleared when it is full. ``line`` (23,) groups the rows of hands with equal rewards
    against every outcome: one sum is kept for each line. A double has twice the reward,
    which the caller ensures. A key holds counts below 64 of every class except the last
    and below 256 of that one.
    """

    cdef uint64_t* keys
    cdef int32_t* place
    cdef i128* sums
    cdef int32_t[ROWS] line
    cdef int32_t[ROWS] row     # a row of each line
    cdef Py_ssize_t slots, used, most, number

    def __cinit__(self, const int32_t[::1] line, Py_ssize_t most):
        cdef int r
        self.number, self.most, self.used = 0, most, 0
        for r in range(ROWS):
            self.line[r] = line[r]
            self.row[line[r]] = r
            self.number = max(self.number, line[r] + 1)
        self.slots = 1
        while self.slots < 2 * most:
            self.slots *= 2
        self.keys = <uint64_t*> calloc(self.slots, sizeof(uint64_t))
        self.place = <int32_t*> calloc(self.slots, sizeof(int32_t))
        self.sums = <i128*> calloc(most * self.number, sizeof(i128))
        if self.keys == NULL or self.place == NULL or self.sums == NULL:
            raise MemoryError
        memset(self.keys, 255, self.slots * sizeof(uint64_t))

    def __dealloc__(self):
        free(self.keys)
        free(self.place)
        free(self.sums)

    @property
    def held(self):
        """The number of shoes that it holds."""
        return self.used

    cdef i128* at(self, const int32_t* left, bint* known) noexcept nogil:
        """The place of the sums for these cards, and whether they are there already."""
        cdef uint64_t key = 0
        cdef int c
        cdef Py_ssize_t slot
        for c in range(CLASSES):
            key |= <uint64_t> left[c] << (6 * c)
        slot = slot_of(key, self.keys, self.slots - 1)
        known[0] = self.keys[slot] == key
        if not known[0]:
            if self.used == self.most:
                memset(self.keys, 255, self.slots * sizeof(uint64_t))
                self.used = 0
                slot = slot_of(key, self.keys, self.slots - 1)
            self.keys[slot] = key
            self.place[slot] = <int32_t> self.used
            self.used += 1
        return self.sums + self.place[slot] * self.number


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
    """The dealer's law for each shoe: ``cells[shoe, cell]`` is the count's low and high word."""
    shaped(shoes.shape[1] == CLASSES, "shoes (shoes, 10)")
    shaped(node_factor.shape[0] == node_parent.shape[0] and leaf_orders.shape[0] == leaf_node.shape[0]
           and factor_number.shape[0] == factor_class.shape[0] and cell_start.shape[0] > 0,
           "a dealer's tree with nodes, leaves and factors in pairs")
    shaped(cells.shape[0] == shoes.shape[0] and cells.shape[1] == cell_start.shape[0] - 1 and cells.shape[2] == 2,
           "cells (shoes, cells, 2)")
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
                factor_class, factor_number, fall, product, cell, -1,
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
    const int32_t[::1] cell_pairs,
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
    Kept kept=None,
    int apart=-1,
    int ahead=0,
):
    """The value of each choice of each hand; hands are in descending order of their hard total.

    base       (10,): cards left by class without the upcard and other removed cards; hands are still included
    cards      (hands, 10): a hand's cards by class
    row        (hands,): the hand's row of ``reward``: its total, or 22
    child      (hands, 10): the hand with one more card, -1 where it busts
    node_... factor_number: the dealer's tree for this upcard
    peek       the class that makes the dealer's blackjack if the dealer peeks, otherwise -1
    reward     (rewards, 2, 23, 12): the reward of the hand's row against each outcome, not doubled and doubled
    bust       (rewards, 2): the reward of a busted hand
    may        (hands,): bit 0 may hit, bit 1 may double
    need       (hands,): bit 0 stand, bit 1 stand after a double, bit 2 the value, bit 3 each choice
    follow     True: ``choice`` is read; False: the best by the first reward is written into it
    weight     (cards + 1, length + 1): 1 / perm(n, k)
    primes     (primes, 2): prime, -1 / prime modulo 2^64
    inverse    (primes, cards + 1, length + 1): 2^128 / perm(n, k) modulo the prime
    value      (hands, 4, rewards): stand, hit, double, stand after a double
    residue    (hands, 4, rewards, primes): the same modulo the primes
    kept       what standing came to in other calls for this upcard, drawing rule and reward, which is a single one
    apart      the class by whose cards the cells of the tree are parted (``cell_pairs``), otherwise -1
    ahead      so many further cards of it are taken out: what is not kept of those shoes comes from the same products
    """
    shaped(base.shape[0] == CLASSES, "base (10,)")
    shaped(cards.shape[1] == CLASSES and child.shape[0] == cards.shape[0] and child.shape[1] == CLASSES,
           "cards and child (hands, 10)")
    shaped(row.shape[0] == cards.shape[0] and may.shape[0] == cards.shape[0] and need.shape[0] == cards.shape[0]
           and choice.shape[0] == cards.shape[0], "row, may, need and choice (hands,)")
    shaped(node_factor.shape[0] == node_parent.shape[0] and leaf_orders.shape[0] == leaf_node.shape[0]
           and factor_number.shape[0] == factor_class.shape[0] and cell_start.shape[0] > 0,
           "a dealer's tree with nodes, leaves and factors in pairs")
    shaped(cell_outcome.shape[0] == cell_start.shape[0] - 1 and cell_length.shape[0] == cell_outcome.shape[0],
           "cell_outcome and cell_length (cells,)")
    shaped(reward.shape[1] == 2 and reward.shape[2] == ROWS and reward.shape[3] == OUTCOMES
           and bust.shape[0] == reward.shape[0] and bust.shape[1] == 2,
           "reward (rewards, 2, 23, 12) and bust (rewards, 2)")
    shaped(primes.shape[1] == 2 and inverse.shape[0] == primes.shape[0] and inverse.shape[1] == weight.shape[0]
           and inverse.shape[2] == weight.shape[1],
           "primes (primes, 2), weight (cards + 1, length + 1), inverse (primes, cards + 1, length + 1)")
    shaped(value.shape[0] == cards.shape[0] and value.shape[1] == 4 and value.shape[2] == reward.shape[0]
           and residue.shape[0] == cards.shape[0] and residue.shape[1] == 4 and residue.shape[2] == reward.shape[0]
           and residue.shape[3] == primes.shape[0],
           "value (hands, 4, rewards) and residue (hands, 4, rewards, primes)")
    cdef Py_ssize_t h, j, hands = cards.shape[0]
    cdef int c, k, d, s, q, o, n, kid, best, top
    cdef int rewards = <int> reward.shape[0]
    cdef int moduli = <int> primes.shape[0]
    cdef int longest = <int> weight.shape[1] - 1
    cdef Py_ssize_t number = cell_start.shape[0] - 1
    cdef int32_t[CLASSES] left
    cdef i128[OUTCOMES] by_outcome
    cdef i128 x
    cdef i128* sums = NULL
    cdef i128* at
    cdef u128 wide
    cdef int32_t taken
    cdef uint64_t p, ni, r, part
    cdef int64_t lost
    cdef double total
    cdef bint possible, every, known, keeps = kept is not None
    if keeps and rewards != 1:
        raise ValueError("sums of a single reward are kept")
    if ahead and not (keeps and apart >= 0):
        raise ValueError("what comes ahead of further cards is kept")
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
                known = False
                top = min(n, longest)
                if keeps:
                    sums = kept.at(left, &known)
                if not known:
                    dealer_law(
                        left, node_parent, node_factor, leaf_node, leaf_orders, cell_start,
                        factor_class, factor_number, fall, product, cell, apart,
                    )
                    at = sums
                    for taken in range(min(ahead, left[apart]) + 1 if ahead else 1):
                        if taken:
                            left[apart] -= taken
                            at = kept.at(left, &known)
                            left[apart] += taken
                            if known:
                                continue
                        outcomes_of(
                            cell, cell_start, cell_outcome, cell_length, cell_pairs,
                            left[apart] - taken if apart >= 0 else 0, n - taken, min(n - taken, longest), by_outcome,
                        )
                        if keeps:
                            for j in range(kept.number):
                                at[j] = 0
                                for o in range(OUTCOMES):
                                    at[j] += by_outcome[o] * reward[0, 0, kept.row[j], o]
                for d in range(2):
                    if not every and not need[h] & (NEED_DOUBLED if d else NEED_STAND):
                        continue
                    s = 3 if d else 0
                    for k in range(rewards):
                        if keeps:
                            x = sums[kept.line[row[h]]] * (1 + d)
                        else:
                            x = 0
                            for o in range(OUTCOMES):
                                x += by_outcome[o] * reward[k, d, row[h], o]
                        value[h, s, k] = <double> x * weight[n, top]
                        # |x| is below 2^107, p × 2^64 above 2^125.
                        wide = <u128> (x if x > 0 else -x)
                        for q in range(moduli):
                            p = primes[q, 0]
                            ni = primes[q, 1]
                            r = times(reduce_wide(wide, p, ni), inverse[q, n, top], p, ni)
                            residue[h, s, k, q] = p - r if x < 0 and r else r
            # One card more: for s = 1 the hand goes on, for s = 2 it stands with two stakes.
            for s in range(1, 3):
                if not may[h] & (MAY_DOUBLE if s == 2 else MAY_HIT):
                    continue
                if not every and choice[h] != s:
                    continue
                lost = 0   # ordered pairs of a busting card and a hole card without a dealer's blackjack
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
    shaped(child.shape[1] == CLASSES and choice.shape[0] == child.shape[0] and need.shape[0] == child.shape[0],
           "child (hands, 10), choice and need (hands,)")
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
