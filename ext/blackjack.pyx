"""Blackjack: the values of every player hand against one upcard, from one shoe.

The composition of a dealer's hand determines its outcome. The number of draw orders of a
composition depends only on the drawing rule. For any removed cards the dealer's distribution is
therefore a sum of orders × falling factorials, taken class by class (`dealer_laws`).

If the dealer peeks, values are joint with "the dealer has no blackjack". They are not
divided by its probability: all choices of a hand share that factor.

Every value has two forms: a double, by which a choice is made, and residues modulo
several primes, from which the caller rebuilds the exact fraction.

Hands are valued in descending order of their totals. The distributions that they need are computed first, in
an order in which each distribution continues from the one before it.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from dealer_laws cimport (
    CLASSES, OUTCOMES, Walk, begin, i128, outcomes_of, reduce_wide, slot_of, times, u128, walk_to,
)
from doors cimport shaped

cdef enum:
    ROWS = 30             # player totals; row 22 is a win by the number of cards, those above are wins by certain cards
    SLOTS = 4             # stand, hit, double, stand after a double
    USUAL = 8             # outcomes without those into which others may be divided
    NEED_STAND = 1
    NEED_DOUBLED = 2
    NEED_VALUE = 4
    NEED_ALL = 8          # every choice of the hand, not only the chosen one
    MAY_HIT = 1
    MAY_DOUBLE = 2


cdef inline uint64_t key_of(const int32_t* left) noexcept nogil:
    cdef uint64_t key = 0
    cdef int c
    for c in range(CLASSES):
        key |= <uint64_t> left[c] << (6 * c)
    return key


cdef inline object integer(i128 x):
    return (<object> <int64_t> (x >> 64) << 64) + <uint64_t> x


cdef class Kept:
    """A cache of the dealer's distributions behind one upcard by the cards left, for one thread.

    It is cleared when it is full. A key holds counts below 64 of every class except the last and below 256 of that
    one: six bits for each class, the ace's lowest. Outcomes into which others may be divided are not kept.
    """

    cdef uint64_t* keys
    cdef int32_t* place
    cdef i128* laws
    cdef Py_ssize_t slots, used, most

    def __cinit__(self, Py_ssize_t most):
        self.most, self.used, self.slots = most, 0, 1
        while self.slots < 2 * most:
            self.slots *= 2
        self.keys = <uint64_t*> calloc(self.slots, sizeof(uint64_t))
        self.place = <int32_t*> calloc(self.slots, sizeof(int32_t))
        self.laws = <i128*> calloc(most * USUAL, sizeof(i128))
        if self.keys == NULL or self.place == NULL or self.laws == NULL:
            raise MemoryError
        memset(self.keys, 255, self.slots * sizeof(uint64_t))

    def __dealloc__(self):
        free(self.keys)
        free(self.place)
        free(self.laws)

    @property
    def held(self):
        """Return the number of shoes in the cache."""
        return self.used

    def law(self, const int32_t[::1] left):
        """Return the distribution for these cards left, which must be known, by outcome as integers."""
        shaped(left.shape[0] == CLASSES, "left (10,)")
        cdef uint64_t key = key_of(&left[0])
        cdef Py_ssize_t slot = slot_of(key, self.keys, self.slots - 1)
        if self.keys[slot] != key:
            raise KeyError("the distribution for these cards is not known")
        return [integer(self.laws[self.place[slot] * USUAL + o]) for o in range(USUAL)]

    cdef i128* at(self, const int32_t* left, bint* known) noexcept nogil:
        """Return the address of the distribution for these cards, and whether it is known."""
        cdef uint64_t key = key_of(left)
        cdef Py_ssize_t slot = slot_of(key, self.keys, self.slots - 1)
        known[0] = self.keys[slot] == key
        if not known[0]:
            if self.used == self.most:
                memset(self.keys, 255, self.slots * sizeof(uint64_t))
                self.used = 0
                slot = slot_of(key, self.keys, self.slots - 1)
            self.keys[slot] = key
            self.place[slot] = <int32_t> self.used
            self.used += 1
        return self.laws + self.place[slot] * USUAL

    def learn(self, const uint64_t[::1] keys, tree, int longest):
        """Compute the distributions of these cards left, as keys; ascending keys repeat most steps of the tree."""
        cdef Walk walk
        cdef int32_t[CLASSES] left
        cdef i128* law
        cdef Py_ssize_t i
        cdef int c, n
        cdef bint known
        begin(&walk, tree)
        with nogil:
            for i in range(keys.shape[0]):
                n = 0
                for c in range(CLASSES):
                    left[c] = <int32_t> (keys[i] >> (6 * c)) & (255 if c == CLASSES - 1 else 63)
                    n += left[c]
                law = self.at(left, &known)
                if not known:
                    compute(&walk, left, n, min(n, longest), law)
        free(walk.sums)


cdef inline void compute(Walk* walk, const int32_t* left, int unseen, int longest, i128* law) noexcept nogil:
    """Write the usual outcomes of the dealer's distribution for these cards left."""
    cdef i128[OUTCOMES] by_outcome
    walk_to(left, walk)
    outcomes_of(walk, unseen, longest, by_outcome)
    memcpy(law, by_outcome, USUAL * sizeof(i128))


cdef inline int left_of(
    const int32_t[::1] base, const int8_t[:, ::1] cards, Py_ssize_t hand, int32_t* left
) noexcept nogil:
    """Write the cards left behind a hand by class; return their number, -1 if the shoe does not have the hand."""
    cdef int c, n = 0
    for c in range(CLASSES):
        left[c] = base[c] - cards[hand, c]
        n = n + left[c] if n >= 0 and left[c] >= 0 else -1
    return n


def evaluate(
    const int32_t[::1] base,
    const int8_t[:, ::1] cards,
    const uint8_t[::1] row,
    const int32_t[:, ::1] child,
    const int32_t[::1] walk_order,
    tree,
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
):
    """Write the value of each choice of each hand; hands are in descending order of their hard total.

    base       (10,): cards left by class without the upcard and other removed cards; hands are still included
    cards      (hands, 10): a hand's cards by class
    row        (hands,): the hand's row of ``reward``: its total, or 22 and more
    child      (hands, 10): the hand with one more card, -1 if it busts
    walk_order (hands,): the hands in the order in which their distributions are computed
    tree       the `DealerTree` of this upcard
    peek       the class that makes the dealer's blackjack if the dealer peeks, otherwise -1
    reward     (rewards, 2, 30, 12): the reward of the hand's row against each outcome, not doubled and doubled
    bust       (rewards, 2): the reward of a busted hand
    may        (hands,): bit 0 may hit, bit 1 may double
    need       (hands,): bit 0 stand, bit 1 stand after a double, bit 2 the value, bit 3 each choice
    follow     True: ``choice`` is read; False: the best by the first reward is written into it
    weight     (cards + 1, length + 1): 1 / perm(n, k)
    primes     (primes, 2): prime, -1 / prime modulo 2^64
    inverse    (primes, cards + 1, length + 1): 2^128 / perm(n, k) modulo the prime
    value      (hands, 4, rewards): stand, hit, double, stand after a double
    residue    (hands, 4, rewards, primes): the same modulo the primes
    kept       the dealer's distributions from other calls for this upcard and drawing rule
    """
    shaped(base.shape[0] == CLASSES, "base (10,)")
    shaped(cards.shape[1] == CLASSES and child.shape[0] == cards.shape[0] and child.shape[1] == CLASSES,
           "cards and child (hands, 10)")
    shaped(row.shape[0] == cards.shape[0] and may.shape[0] == cards.shape[0] and need.shape[0] == cards.shape[0]
           and choice.shape[0] == cards.shape[0], "row, may, need and choice (hands,)")
    shaped(walk_order.shape[0] == cards.shape[0], "walk_order (hands,)")
    shaped(reward.shape[1] == 2 and reward.shape[2] == ROWS and reward.shape[3] == OUTCOMES
           and bust.shape[0] == reward.shape[0] and bust.shape[1] == 2,
           "reward (rewards, 2, 30, 12) and bust (rewards, 2)")
    shaped(primes.shape[1] == 2 and inverse.shape[0] == primes.shape[0] and inverse.shape[1] == weight.shape[0]
           and inverse.shape[2] == weight.shape[1],
           "primes (primes, 2), weight (cards + 1, length + 1), inverse (primes, cards + 1, length + 1)")
    shaped(value.shape[0] == cards.shape[0] and value.shape[1] == 4 and value.shape[2] == reward.shape[0]
           and residue.shape[0] == cards.shape[0] and residue.shape[1] == 4 and residue.shape[2] == reward.shape[0]
           and residue.shape[3] == primes.shape[0],
           "value (hands, 4, rewards) and residue (hands, 4, rewards, primes)")
    cdef Py_ssize_t h, i, hands = cards.shape[0]
    cdef int c, k, d, s, q, o, n, kid, best, top
    cdef int rewards = <int> reward.shape[0]
    cdef int moduli = <int> primes.shape[0]
    cdef int longest = <int> weight.shape[1] - 1
    cdef int32_t[CLASSES] left
    cdef i128* by_outcome
    cdef i128 x
    cdef u128 wide
    cdef uint64_t p, ni, r, part
    cdef int64_t lost
    cdef double total
    cdef bint every, known = True, keeps = kept is not None
    cdef int outcomes = USUAL if keeps else OUTCOMES
    cdef Walk walk
    cdef i128* law = NULL
    begin(&walk, tree)
    if not keeps:
        law = <i128*> calloc(hands * OUTCOMES, sizeof(i128))
        if law == NULL:
            free(walk.sums)
            raise MemoryError
    with nogil:
        for i in range(0 if keeps else hands):
            h = walk_order[i]
            if follow and not need[h] & (NEED_STAND | NEED_DOUBLED | NEED_ALL) or not need[h]:
                continue
            n = left_of(base, cards, h, left)
            if n >= 0:
                walk_to(left, &walk)
                outcomes_of(&walk, n, min(n, longest), law + h * OUTCOMES)
        for h in range(hands):
            if not need[h]:
                continue
            n = left_of(base, cards, h, left)
            if n < 0:
                continue
            every = not follow or need[h] & NEED_ALL
            # Standing, with one stake or two.
            if every or need[h] & (NEED_STAND | NEED_DOUBLED):
                top = min(n, longest)
                if not keeps:
                    by_outcome = law + h * OUTCOMES
                else:
                    by_outcome = kept.at(left, &known)
                    if not known:
                        compute(&walk, left, n, top, by_outcome)
                for d in range(2):
                    if not every and not need[h] & (NEED_DOUBLED if d else NEED_STAND):
                        continue
                    s = 3 if d else 0
                    for k in range(rewards):
                        x = 0
                        for o in range(outcomes):
                            x += by_outcome[o] * reward[k, d, row[h], o]
                        value[h, s, k] = <double> x * weight[n, top]
                        # |x| is below 2^107 and p × 2^64 above 2^125; a caller with other rewards must keep this bound.
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
    free(walk.sums)
    free(law)


def mark(const int32_t[:, ::1] child, const int8_t[::1] choice, uint8_t[::1] need):
    """Spread ``need`` from the hands that are marked to all hands that a play of ``choice`` reaches."""
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


def dot(const int64_t[:, ::1] numbers, const uint64_t[:, :, ::1] residues):
    """Return Σ number × residue for each prime; the absolute numbers add up to less than 2^63.

    A residue is below 2^62, so no partial sum reaches 2^125.
    """
    shaped(residues.shape[0] == numbers.shape[0] and residues.shape[1] == numbers.shape[1],
           "numbers (rows, columns) and residues (rows, columns, primes)")
    cdef Py_ssize_t i, j, q
    cdef i128 x
    sums = []
    for q in range(residues.shape[2]):
        x = 0
        with nogil:
            for i in range(numbers.shape[0]):
                for j in range(numbers.shape[1]):
                    if numbers[i, j]:
                        x += <i128> numbers[i, j] * <i128> residues[i, j, q]
        sums.append(integer(x))
    return sums
