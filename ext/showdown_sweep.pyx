"""The sweep: for one set of public cards, each player's hand against all hands of the dealer that it leaves.

Hands are taken in ascending rank. Counters C[S] hold how many dealer's hands taken so far contain the cards S. For a
player's hand P the sum over S in P of (-1)^|S| C[S] is the number of those hands that share no card with P. It is read
at every cut of the dealer's ranks, then below and up to the rank of P: no pair of hands is ever formed.

The value of a round is linear in these numbers and in the number of all dealer's hands. Its coefficients depend on
the segment of ranks of P. The counts are moments: the sums of these numbers over the hands that end in
one leaf and segment.

Bounds. A counter is at most C(52, 7) = 133,784,560 < 2^31. The caller bounds utilities and deals so that every sum
fits 63 bits: combin/games/showdown/size_limits.py.

Where the time goes, with boards of five cards and hands of two: about a quarter to rank and sort the hands of a board,
an eighth to count, a third to add values to the boards of earlier streets and to read the choices made there, and the
rest to value hands and to add up moments. A board takes about 50 microseconds in each pass.
"""

from cython cimport final
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from binomials cimport BINOMIAL, fill_binomials
from doors cimport shaped, within
from showdown_counts cimport (
    MOST_LEVELS, Hands, Level, Plan, Work, free_work, list_public, make_work, sweep_public,
)
from showdown_hands cimport CARDS, MOST_HIDDEN, MOST_PLAYER, RANKS, Ranking, list_hands
from showdown_levels cimport Later, add_to_level, hand_at, later_of, read_from_level
from showdown_worth cimport Rows, add_moments, choose, field_of, value_rows

fill_binomials()

cdef enum:
    PERMUTATIONS = 24
    MOST_CUTS = 64
    MOST_ROWS = 512


@final
cdef class Valuation:
    """How hands are valued: rows of coefficients, and the choices of the last street among them.

    ``coefficients`` [row][segment][cut or below, up to, all]; ``nodes`` [node][choice] are rows, ``needs`` [choice] the
    least ranks to which the choices are offered.
    """

    cdef Rows rows
    cdef object held

    def __init__(
        self, const int32_t[::1] cuts, const int32_t[::1] segments, const int64_t[:, :, ::1] coefficients,
        const int32_t[:, ::1] nodes, const int32_t[::1] needs,
    ):
        cdef Rows* r = &self.rows
        cdef int node, k
        self.held = [cuts, segments, coefficients, nodes, needs]
        r.cuts, r.segments = <int> cuts.shape[0], <int> segments.shape[0]
        r.count, r.nodes, r.choices = <int> coefficients.shape[0], <int> nodes.shape[0], <int> nodes.shape[1]
        shaped(coefficients.shape[1] == r.segments + 1 and coefficients.shape[2] == r.cuts + 3, "coefficients")
        shaped(r.cuts <= MOST_CUTS and needs.shape[0] == r.choices, "cuts and choices")
        for node in range(r.nodes):
            for k in range(r.choices):
                within(nodes[node, k], nodes[node, k] + 1, r.count, "rows")
        r.cut = &cuts[0] if r.cuts else NULL
        r.segment = &segments[0] if r.segments else NULL
        r.coefficient = &coefficients[0, 0, 0] if r.count else NULL
        r.node = &nodes[0, 0] if r.nodes and r.choices else NULL
        r.need = &needs[0] if r.choices else NULL


@final
cdef class Sweep:
    """The deal of a round and its ranking of hands, ready for passes over its public cards.

    ``mine`` and ``theirs`` are (by_ranks, first, place, by_suit, least suited, keys) of the player's and the dealer's
    hands. ``levels`` are (board, upcards, player, seen, orbits, hands, indices, classes, permutations) of earlier
    streets with choices: ``seen`` are the public cards of each class, ``hands`` the cards of all hands by index.
    ``moved[permutation][index]`` holds the indices of the player's hands after each permutation of suits, or is empty.
    """

    cdef Plan plan
    cdef object held
    cdef const uint8_t[:, ::1] seen
    cdef const int32_t[::1] orbits
    cdef int64_t room

    def __init__(
        self, *, int player, int hidden, int board, int upcards, bint mine_board, bint theirs_board, bint theirs_up,
        bint alike, bint reduced, uint64_t removed, mine, theirs, levels, const uint8_t[:, ::1] seen,
        const int32_t[::1] orbits, const int8_t[:, ::1] permutation, const int32_t[:, ::1] moved, int64_t room,
    ):
        cdef Plan* p = &self.plan
        shaped(0 <= player <= MOST_PLAYER and -1 <= hidden <= MOST_HIDDEN, "up to five cards against up to seven")
        shaped(board + upcards == seen.shape[1] and seen.shape[0] == orbits.shape[0], "public cards and orbits")
        shaped(permutation.shape[0] == PERMUTATIONS and permutation.shape[1] == CARDS, "24 permutations of 52 cards")
        shaped(len(levels) <= MOST_LEVELS, "at most six earlier streets")
        shaped(0 <= board <= MOST_HIDDEN and 0 <= upcards <= MOST_HIDDEN, "at most seven cards of a role")
        p.player, p.hidden, p.board, p.upcards = player, hidden, board, upcards
        p.mine_board, p.theirs_board, p.theirs_up = mine_board, theirs_board, theirs_up
        p.alike, p.reduced, p.removed = alike, reduced, removed
        self.seen, self.orbits, p.permutation = seen, orbits, &permutation[0, 0]
        self.held = [mine, theirs, levels, permutation, moved]
        self.room = max(room, 1)
        set_ranking(&p.mine, mine)
        set_ranking(&p.theirs, theirs)
        p.levels = len(levels)
        for i, level in enumerate(levels):
            set_level(&p.level[i], level)
        p.moved = NULL
        if moved.shape[0]:
            shaped(moved.shape[0] == PERMUTATIONS and moved.shape[1] == BINOMIAL[CARDS][player], "[24][hands]")
            p.moved = &moved[0, 0]

    def values(self, Py_ssize_t start, Py_ssize_t stop, Valuation valuation not None, const int32_t[:, ::1] sums, out):
        """Add the values of the public cards [start, stop) to the arrays of earlier streets.

        ``sums`` are (level, source): what ``out[i]`` adds up, int64 [class][hand] of that level; a source is a row, or
        the number of rows plus a node.
        """
        cdef Plan* p = &self.plan
        cdef Rows* r = &valuation.rows
        cdef int node, sum_count = <int> sums.shape[0], i, sources = r.count + r.nodes
        cdef int64_t* totals[MOST_ROWS]
        cdef int64_t* scaled[MOST_ROWS]
        cdef int64_t[:, ::1] array
        cdef int64_t* f
        cdef int64_t* g
        cdef Work* w
        cdef Later later
        cdef Py_ssize_t public, n, h
        cdef const int64_t* source
        cdef int32_t orbit_size
        within(start, stop, self.seen.shape[0], "public cards")
        shaped(sum_count <= MOST_ROWS and len(out) == sum_count, "one array a sum")
        for i in range(sum_count):
            array = out[i]
            within(sums[i, 0], sums[i, 0] + 1, p.levels, "levels")
            within(sums[i, 1], sums[i, 1] + 1, sources, "sources")
            shaped_as(&p.level[sums[i, 0]], array.shape[0], array.shape[1])
            totals[i] = &array[0, 0]
        w = self.work(r.cuts)
        f = <int64_t*> malloc(self.room * (sources + 1) * sizeof(int64_t))
        g = <int64_t*> malloc(self.room * max(sum_count, 1) * sizeof(int64_t))
        try:
            if f == NULL or g == NULL:
                raise MemoryError
            with nogil:
                for public in range(start, stop):
                    later = self.listed(public, w)
                    n = w.mine.count
                    sweep_public(p, w, r.cut, r.cuts)
                    value_rows(p, w, r, f)
                    for node in range(r.nodes):
                        choose(&w.mine, f, r, node, f + (r.count + node) * n, NULL, NULL)
                    orbit_size = self.orbits[public]
                    for i in range(sum_count):
                        source = f + sums[i, 1] * n
                        scaled[i] = g + i * self.room
                        for h in range(n):
                            scaled[i][h] = source[h] * (orbit_size * w.mine.weight[h])
                    i = 0
                    while i < sum_count:
                        node = i + 1
                        while node < sum_count and sums[node, 0] == sums[i, 0]:
                            node += 1
                        add_to_level(p, &p.level[sums[i, 0]], &later, node - i, &scaled[i], &totals[i])
                        i = node
        finally:
            close_work(w)
            free(f)
            free(g)

    cdef Work* work(self, int cuts) except NULL:
        """Return room for one set of public cards; `close_work` frees it."""
        cdef Work* w = <Work*> malloc(sizeof(Work))
        if w == NULL:
            raise MemoryError
        if not make_work(&self.plan, w, cuts, self.room):
            close_work(w)
            raise MemoryError
        return w

    cdef Later listed(self, Py_ssize_t public, Work* w) noexcept nogil:
        """List the hands that public cards leave."""
        cdef Later later
        later.board, later.upcards, later.hands = self.plan.board, self.plan.upcards, &w.mine
        later.seen = &self.seen[public, 0] if self.seen.shape[1] else NULL
        list_public(&self.plan, w, later.seen)
        return later

    def moments(
        self, Py_ssize_t start, Py_ssize_t stop, Valuation valuation not None, const int32_t[::1] reached,
        const int32_t[:, ::1] leaves, words, const int32_t[::1] word_levels, int64_t[:, :, ::1] out, int64_t[::1] ties,
        int64_t[::1] best, const int8_t[:, ::1] given,
    ):
        """Add the moments of the public cards [start, stop) under the choices of all streets.

        ``words[i]`` are events uint64 [class][hand] of level ``word_levels[i]``, four fields of 16 bits: how often a
        hand ends in a leaf, or reaches a node. ``reached[node]`` is the field, 4 * word + place, of a node of the last
        street; -1: always. ``leaves`` are (field, -1) of an earlier street, or (node, choice). ``out`` is
        [leaf][segment][cuts, below, up to, all]. ``ties`` counts the hands of each node that have two best choices,
        ``best`` adds up the values of the best choices. ``given`` [public - start][hand as listed] are choices to be
        followed; it may be empty.
        """
        cdef Plan* p = &self.plan
        cdef Rows* r = &valuation.rows
        cdef int node, i, word_count = <int> len(words), leaf_count = <int> leaves.shape[0]
        cdef const uint64_t* event[MOST_ROWS]
        cdef const uint64_t[:, ::1] array
        cdef int64_t* f
        cdef uint64_t* e
        cdef int32_t* weights
        cdef int8_t* picks
        cdef bint* tied
        cdef Work* w
        cdef Later later
        cdef Py_ssize_t public, n, h, room = self.room
        cdef int32_t weight, orbit_size, field
        cdef int8_t place
        cdef const uint64_t* source
        cdef const int8_t* pick
        within(start, stop, self.seen.shape[0], "public cards")
        shaped(out.shape[0] == leaf_count and out.shape[1] == r.segments + 1 and out.shape[2] == r.cuts + 3, "out")
        shaped(word_count <= MOST_ROWS and word_levels.shape[0] == word_count, "a level a word")
        shaped(reached.shape[0] == r.nodes and ties.shape[0] == r.nodes and best.shape[0] == r.nodes, "nodes")
        shaped(given.shape[0] in (0, stop - start), "choices")
        for i in range(word_count):
            array = words[i]
            within(word_levels[i], word_levels[i] + 1, p.levels, "levels")
            shaped_as(&p.level[word_levels[i]], array.shape[0], array.shape[1])
            event[i] = &array[0, 0]
        for node in range(r.nodes):
            within(reached[node] + 1, reached[node] + 1, 4 * word_count + 1, "fields")
        for i in range(leaf_count):
            if leaves[i, 1] >= 0:
                within(leaves[i, 0], leaves[i, 0] + 1, r.nodes, "nodes")
            else:
                within(leaves[i, 0], leaves[i, 0] + 1, 4 * word_count, "fields")
        w = self.work(r.cuts)
        f = <int64_t*> malloc(room * (r.count + 2) * sizeof(int64_t))
        e = <uint64_t*> malloc(room * (word_count + 1) * sizeof(uint64_t))
        picks = <int8_t*> malloc(room * (r.nodes + 1))
        tied = <bint*> malloc(room * sizeof(bint))
        weights = <int32_t*> malloc(room * sizeof(int32_t))
        try:
            if f == NULL or e == NULL or picks == NULL or tied == NULL or weights == NULL:
                raise MemoryError
            with nogil:
                for public in range(start, stop):
                    later = self.listed(public, w)
                    n = w.mine.count
                    sweep_public(p, w, r.cut, r.cuts)
                    value_rows(p, w, r, f)
                    orbit_size = self.orbits[public]
                    memset(e, 0, word_count * n * sizeof(uint64_t))
                    for i in range(word_count):
                        read_from_level(p, &p.level[word_levels[i]], &later, event[i], e + i * n)
                    for node in range(r.nodes):
                        choose(&w.mine, f, r, node, f + r.count * n, picks + node * n, tied)
                        for h in range(n):
                            if given.shape[0]:
                                picks[node * n + h] = given[public - start, w.mine.origin[h]]
                            weight = orbit_size * w.mine.weight[h] * field_of(e, n, h, reached[node])
                            best[node] += weight * f[r.count * n + h]
                            if tied[h] and weight:
                                ties[node] += orbit_size * w.mine.weight[h]
                    for i in range(leaf_count):
                        field = leaves[i, 0] if leaves[i, 1] < 0 else reached[leaves[i, 0]]
                        place = <int8_t> leaves[i, 1]
                        for h in range(n):
                            weights[h] = orbit_size * w.mine.weight[h]
                        if field >= 0:
                            source = e + (field >> 2) * n
                            field = 16 * (field & 3)
                            for h in range(n):
                                weights[h] *= <int32_t> (source[h] >> field & 0xffff)
                        if place >= 0:
                            pick = picks + leaves[i, 0] * n
                            for h in range(n):
                                weights[h] = weights[h] if pick[h] == place else 0
                        weight = 0
                        for h in range(n):
                            weight |= weights[h]
                        if weight:
                            add_moments(p, w, r, weights, &out[i, 0, 0])
        finally:
            close_work(w)
            free(f)
            free(e)
            free(picks)
            free(tied)
            free(weights)

    def lift(
        self, int of, int to, Py_ssize_t start, Py_ssize_t stop, const int64_t[:, ::1] values, int64_t[:, ::1] out
    ):
        """Add ``values`` [class - start][hand] of the classes [start, stop) of level ``of`` to the earlier ``to``."""
        cdef Plan* p = &self.plan
        cdef Level* level = &p.level[of]
        cdef Later later
        cdef Py_ssize_t c, h
        cdef int64_t* g
        cdef int64_t* total = &out[0, 0]
        within(to, of, p.levels, "levels")
        within(of, of + 1, p.levels, "levels")
        within(start, stop, level.count, "classes")
        shaped(values.shape[0] >= stop - start and values.shape[1] == level.hands.count, "[class][hand]")
        shaped_as(&p.level[to], out.shape[0], out.shape[1])
        g = <int64_t*> malloc(level.hands.count * sizeof(int64_t))
        if g == NULL:
            raise MemoryError
        with nogil:
            for c in range(start, stop):
                for h in range(level.hands.count):
                    g[h] = level.orbits[c] * values[c - start, h]
                later = later_of(level, c)
                add_to_level(p, &p.level[to], &later, 1, &g, &total)
        free(g)

    def carry(
        self, int of, int to, Py_ssize_t start, Py_ssize_t stop, const uint64_t[:, ::1] events, uint64_t[:, ::1] out
    ):
        """Add the ``events`` [class][hand] of level ``of`` to the classes [start, stop) of the later level ``to``."""
        cdef Plan* p = &self.plan
        cdef Later later
        cdef Py_ssize_t c
        within(of, to, p.levels, "levels")
        within(to, to + 1, p.levels, "levels")
        within(start, stop, p.level[to].count, "classes")
        shaped_as(&p.level[of], events.shape[0], events.shape[1])
        shaped_as(&p.level[to], out.shape[0], out.shape[1])
        with nogil:
            for c in range(start, stop):
                later = later_of(&p.level[to], c)
                read_from_level(p, &p.level[of], &later, &events[0, 0], &out[c, 0])

    def symmetrise(self, int of, const int64_t[::1] group, int64_t[:, ::1] values):
        """Replace each value by its sum over the permutations that keep the public cards, divided by the group's size.

        ``group`` are the indices of the permutations that keep the removed cards. Raises ArithmeticError if the
        size does not divide a sum: the values were not those of whole orbits.
        """
        cdef Plan* p = &self.plan
        cdef Level* level = &p.level[of]
        cdef Later later
        cdef Py_ssize_t c, h, n
        cdef int i, k
        cdef uint64_t on_board, up, board_image, up_image
        cdef const int8_t* to
        cdef int64_t* total
        cdef int64_t size = group.shape[0]
        cdef bint whole = True
        within(of, of + 1, p.levels, "levels")
        shaped_as(level, values.shape[0], values.shape[1])
        n = level.hands.count
        total = <int64_t*> malloc(n * sizeof(int64_t))
        if total == NULL:
            raise MemoryError
        with nogil:
            for c in range(level.count):
                later = later_of(level, c)
                memset(total, 0, n * sizeof(int64_t))
                for k in range(size):
                    to = p.permutation + CARDS * group[k]
                    on_board = up = board_image = up_image = 0
                    for i in range(later.board):
                        on_board |= <uint64_t> 1 << later.seen[i]
                        board_image |= <uint64_t> 1 << to[later.seen[i]]
                    for i in range(later.board, later.board + later.upcards):
                        up |= <uint64_t> 1 << later.seen[i]
                        up_image |= <uint64_t> 1 << to[later.seen[i]]
                    if on_board != board_image or up != up_image:
                        continue
                    if level.hands.size == p.player and p.moved != NULL:
                        for h in range(n):
                            total[h] += values[c, p.moved[group[k] * n + h]]
                    else:
                        for h in range(n):
                            total[h] += values[c, hand_at(level, to, level.hands.cards + level.hands.size * h)]
                for h in range(n):
                    whole = whole and total[h] % size == 0
                    values[c, h] = total[h] // size
        free(total)
        if not whole:
            raise ArithmeticError("values of an earlier street are not integers after symmetrising")

    def position(
        self, const uint8_t[::1] seen, const uint8_t[::1] hand, const int32_t[::1] cuts, int64_t[:, ::1] out
    ):
        """Compare one hand of the player with every hand of the dealer, one by one; return its rank.

        ``out`` [lose, tie, win][interval between cuts] takes the numbers of the dealer's hands. Without a dealer
        out[0, 0] is 1. Cards ascend within each role, boards before upcards.
        """
        cdef Plan* p = &self.plan
        cdef uint8_t left[CARDS]
        cdef uint64_t board = 0, up = 0, own = 0
        cdef int i, n = 0, result, cut, cut_count = <int> cuts.shape[0]
        cdef uint16_t mine[1]
        cdef uint8_t nothing[1]
        cdef uint16_t* rank
        cdef uint8_t* cards
        cdef Py_ssize_t count, h
        shaped(seen.shape[0] == p.board + p.upcards and hand.shape[0] == p.player, "the cards of the showdown")
        shaped(out.shape[0] == 3 and out.shape[1] == cut_count + 1, "[result][interval]")
        for i in range(p.board):
            board |= <uint64_t> 1 << seen[i]
        for i in range(p.upcards):
            up |= <uint64_t> 1 << seen[p.board + i]
        for i in range(p.player):
            own |= <uint64_t> 1 << hand[i]
        for i in range(CARDS):
            if not (board | up | own | p.removed) >> i & 1:
                left[n] = <uint8_t> i
                n += 1
        list_hands(&p.mine, left, n, 0, own | (board if p.mine_board else 0), NULL, mine, nothing, NULL, NULL)
        out[:, :] = 0
        if p.hidden < 0:
            out[0, 0] = 1
            return mine[0]
        count = BINOMIAL[n][p.hidden]
        rank = <uint16_t*> malloc(max(count, 1) * sizeof(uint16_t))
        cards = <uint8_t*> malloc(max(count * p.hidden, 1))
        if rank == NULL or cards == NULL:
            free(rank)
            free(cards)
            raise MemoryError
        with nogil:
            list_hands(&p.theirs, left, n, p.hidden, (board if p.theirs_board else 0) | (up if p.theirs_up else 0), NULL,
                       rank, cards, NULL, NULL)
            for h in range(count):
                result = (rank[h] <= mine[0]) + (rank[h] < mine[0])
                cut = 0
                while cut < cut_count and cuts[cut] <= rank[h]:
                    cut += 1
                out[result, cut] += 1
        free(rank)
        free(cards)
        return mine[0]

    def hands(
        self, Py_ssize_t start, Py_ssize_t stop, uint8_t[:, :, ::1] cards, uint16_t[:, ::1] ranks, int32_t[::1] counts
    ):
        """Write the player's hands of the public cards [start, stop) as they are listed, and their numbers.

        ``cards`` [public - start][hand][card] and ``ranks`` keep what they were beyond the number of hands.
        """
        cdef Plan* p = &self.plan
        cdef Work* w
        cdef Py_ssize_t public, h, i, to
        within(start, stop, self.seen.shape[0], "public cards")
        shaped(cards.shape[0] == ranks.shape[0] == counts.shape[0] == stop - start and cards.shape[1] == self.room
               and ranks.shape[1] == self.room and cards.shape[2] == p.player, "room for all hands")
        w = self.work(0)
        try:
            with nogil:
                for public in range(start, stop):
                    self.listed(public, w)
                    counts[public - start] = <int32_t> w.mine.count
                    for h in range(w.mine.count):
                        to = w.mine.origin[h]
                        ranks[public - start, to] = w.mine.rank[h]
                        for i in range(p.player):
                            cards[public - start, to, i] = w.mine.cards[h * p.player + i]
        finally:
            close_work(w)


cdef void close_work(Work* w) noexcept:
    free_work(w)
    free(w)


cdef int shaped_as(const Level* level, Py_ssize_t classes, Py_ssize_t hands) except -1:
    """Raise ValueError unless an array has a row for each class of a level and a column for each hand."""
    return shaped(classes == level.count and hands == level.hands.count, "[class][hand]")


cdef int set_ranking(Ranking* ranking, tables) except -1:
    """Point a ranking to its tables, which the caller keeps."""
    cdef const uint16_t[::1] by_ranks = tables[0]
    cdef const int32_t[::1] first = tables[1]
    cdef const int32_t[::1] place = tables[2]
    cdef const uint16_t[::1] by_suit = tables[3]
    shaped(by_suit.shape[0] == 1 << RANKS and first.shape[0] == 5**7 and place.shape[0] == 5**6, "rank tables")
    ranking.by_ranks, ranking.first, ranking.place = &by_ranks[0], &first[0], &place[0]
    ranking.by_suit = &by_suit[0]
    ranking.least_suited = tables[4]
    for rank in range(RANKS):
        ranking.key[rank] = tables[5][rank]
    return 0


cdef int set_level(Level* level, fields) except -1:
    """Point a level to its arrays, which the caller keeps."""
    cdef Hands* hands = &level.hands
    cdef const uint8_t[:, ::1] seen = fields[3]
    cdef const int32_t[::1] orbits = fields[4]
    cdef const uint8_t[:, ::1] cards = fields[5]
    cdef const int32_t[::1] indices = fields[6]
    cdef const int32_t[::1] classes = fields[7]
    cdef const uint8_t[::1] permutations = fields[8]
    level.board, level.upcards, hands.size = fields[0], fields[1], fields[2]
    hands.count, level.count = BINOMIAL[CARDS][hands.size], seen.shape[0]
    shaped(seen.shape[1] == level.board + level.upcards and orbits.shape[0] == level.count, "public cards and orbits")
    shaped(cards.shape[0] == hands.count and cards.shape[1] == max(hands.size, 1)
           and indices.shape[0] == hands.count, "the cards of all hands")
    shaped(classes.shape[0] == BINOMIAL[CARDS][level.board] * BINOMIAL[CARDS][level.upcards]
           and permutations.shape[0] == classes.shape[0], "a class for all public cards")
    level.seen, level.orbits = &seen[0, 0] if seen.shape[0] and seen.shape[1] else NULL, &orbits[0]
    hands.cards, hands.index = <uint8_t*> &cards[0, 0], <int32_t*> &indices[0]    # only read
    level.classes, level.permutations = &classes[0], &permutations[0]
    return 0
