"""Classes of the deals of a shoe: the orbits of deals under a group of suit permutations, listed one by one.

A block is an orbit of labels (the features of a card that a wager uses): the four cards of a
rank, the two colours of a rank, or a rank. A cell is one role's draw from one
block: a multiset of its labels. A deal is a row of cells, role by role and block by
block. Of each orbit of cells one cell is kept, and the weight is multiplied by the
orbit's length. The row continues under the permutations that fix the cell. Few
subgroups occur, so tables hold all of this: no image of a hand is ever formed.

``bound`` is the number of classes after a cell, so that a call finds its classes
without listing those before them. It is exact for one role. For later roles it
assumes a full shoe, so that some places may stay empty.

Where the time goes: about fifteen nanoseconds per class of seven cards. Four classes in
five end in a single card of another rank and come from a list of such cards; half of
the time goes to the others. The common part of all classes after a cell is written once
they are all counted, in one run for each card. The number of decks changes only the weights.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.string cimport memset

from doors cimport shaped, sized

cdef enum:
    MOST_ROLES = 8
    MOST_CARDS = 8   # of a role
    LABELS = 52
    SUBGROUPS = 30   # of the permutations of four suits


cdef struct Cell:
    uint8_t[MOST_CARDS] picks   # the labels that it draws, ascending, counted within the block
    uint8_t most                # the largest number of cards of one label
    uint8_t next                # the subgroup that fixes it
    uint8_t orbit               # the number of cells that it stands for


cdef struct Single:
    uint8_t label
    uint8_t orbit
    int8_t rank
    int8_t suit


cdef class Classes:
    """The tables of one deal; `list` writes its classes.

    cell_first   (kinds of block, subgroups, cards + 2): the cells of m cards that are kept under
                 a subgroup, from cell_first[kind, subgroup, m] to the next entry
    cell         (cells,): see `Cell`
    blocks       (roles,): the number of blocks
    block_kind, block_label, block_copies
                 (roles, blocks): kind, first label, cards of each label in the full shoe
    bound        (roles, blocks + 1, cards + 1, subgroups): the places after a cell
    full         (roles, LABELS): cards of each label in the full shoe
    onto         (roles, roles, LABELS): the later role's label (first index) for a label that the
    earlier role (second index) draws
    rank, suit   (roles, LABELS): the rank and the suit that a label shows
    cards        (roles,): the number of cards
    choose       (cards of a label + 1, cards + 1): binomial coefficients
    """
    cdef const int32_t[:, :, ::1] cell_first
    cdef const Cell[::1] cell
    cdef const int32_t[::1] blocks
    cdef const int32_t[:, ::1] block_kind
    cdef const int32_t[:, ::1] block_label
    cdef const int32_t[:, ::1] block_copies
    cdef const int64_t[:, :, :, ::1] bound
    cdef const int32_t[:, ::1] full
    cdef const int32_t[:, :, ::1] onto
    cdef const int8_t[:, ::1] rank
    cdef const int8_t[:, ::1] suit
    cdef const int32_t[::1] cards
    cdef const int64_t[:, ::1] choose
    # The last card of the last role under each subgroup, those of a block and after it from `single_first` on.
    cdef Single[SUBGROUPS][LABELS] single
    cdef uint8_t[SUBGROUPS][LABELS + 1] single_first

    def __init__(
        self, cell_first, cell, blocks, block_kind, block_label, block_copies, bound, full, onto, rank, suit, cards,
        choose,
    ):
        self.cell_first, self.cell, self.blocks = cell_first, cell, blocks
        self.block_kind, self.block_label, self.block_copies = block_kind, block_label, block_copies
        self.bound, self.full, self.onto, self.rank, self.suit = bound, full, onto, rank, suit
        self.cards, self.choose = cards, choose
        if not 1 <= self.cards.shape[0] <= MOST_ROLES:
            raise ValueError(f"a deal has 1 to {MOST_ROLES} roles")
        for count in self.cards:
            if not 1 <= count <= MOST_CARDS:
                raise ValueError(f"a role has 1 to {MOST_CARDS} cards")
        if self.cell_first.shape[1] > SUBGROUPS:
            raise ValueError(f"suit permutations have at most {SUBGROUPS} subgroups")
        roles, most = self.cards.shape[0], self.block_kind.shape[1]
        held = max(self.cards)
        sized("blocks", self.blocks.shape, (roles,))
        sized("block_kind", self.block_kind.shape, (roles, most))
        sized("block_label", self.block_label.shape, (roles, most))
        sized("block_copies", self.block_copies.shape, (roles, most))
        sized("bound", self.bound.shape, (roles, None, None, self.cell_first.shape[1]))
        sized("full", self.full.shape, (roles, LABELS))
        sized("onto", self.onto.shape, (roles, roles, LABELS))
        sized("rank", self.rank.shape, (roles, LABELS))
        sized("suit", self.suit.shape, (roles, LABELS))
        shaped(max(self.blocks) <= most and self.bound.shape[1] >= max(self.blocks) + 1,
               "block_kind (roles, blocks) and bound (roles, blocks + 1, cards + 1, subgroups)")
        shaped(self.cell_first.shape[2] >= held + 2 and self.bound.shape[2] >= held + 1
               and self.choose.shape[1] >= held + 1,
               "cell_first and bound for a role's cards, and choose (cards of a label + 1, cards + 1)")
        self.list_singles()

    cdef void list_singles(self):
        cdef int role = <int> self.cards.shape[0] - 1
        cdef int subgroup, block, kind, x, label, found
        for subgroup in range(<int> self.cell_first.shape[1]):
            found = 0
            for block in range(self.blocks[role]):
                self.single_first[subgroup][block] = <uint8_t> found
                kind = self.block_kind[role, block]
                for x in range(self.cell_first[kind, subgroup, 1], self.cell_first[kind, subgroup, 2]):
                    label = self.block_label[role, block] + self.cell[x].picks[0]
                    self.single[subgroup][found].label = <uint8_t> label
                    self.single[subgroup][found].orbit = self.cell[x].orbit
                    self.single[subgroup][found].rank = self.rank[role, label]
                    self.single[subgroup][found].suit = self.suit[role, label]
                    found += 1
            self.single_first[subgroup][self.blocks[role]] = <uint8_t> found

    def list(
        self, int64_t start, int64_t stop, int subgroup, int8_t[:, ::1] ranks, int8_t[:, ::1] suits, int64_t[::1] weights
    ):
        """Write the classes of the places [start, stop); return how many there are.

        ``subgroup`` is the whole group. ``ranks`` and ``suits`` have the shape (cards of all
        roles, rows), ``weights`` (rows,): at least stop - start rows. A weight is the number of
        deals of a class; the sum of all is below 2**62, see `combin.deals.classes`.
        """
        cdef Walk walk = Walk()
        if ranks.shape[1] < stop - start or suits.shape[1] < stop - start or weights.shape[0] < stop - start:
            raise ValueError("there are fewer rows than classes")
        sized("ranks", ranks.shape, (sum(self.cards), None))
        sized("suits", suits.shape, (sum(self.cards), None))
        shaped(0 <= subgroup < self.cell_first.shape[1], f"subgroup {subgroup} is not in cell_first")
        walk.of = self
        walk.ranks, walk.suits, walk.weights = ranks, suits, weights
        walk.start, walk.stop = start, stop
        with nogil:
            walk.role(0, 0, subgroup, 1)
        return walk.row


cdef class Walk:
    """The state of one call's walk through the cells."""
    cdef Classes of
    cdef int8_t[:, ::1] ranks
    cdef int8_t[:, ::1] suits
    cdef int64_t[::1] weights
    cdef int64_t start, stop
    cdef int64_t place    # of the next class in the order of `bound`
    cdef int64_t row      # of the next class written
    cdef int32_t[MOST_ROLES][LABELS] left
    cdef uint8_t[MOST_ROLES][MOST_CARDS] drawn

    cdef void role(self, int role, int column, int subgroup, int64_t weight) noexcept nogil:
        """Let a role draw after the earlier ones. ``column`` is that of its first card."""
        cdef int label, earlier, card
        cdef int32_t* left = self.left[role]
        for label in range(LABELS):
            left[label] = self.of.full[role, label]
        for earlier in range(role):
            for card in range(self.of.cards[earlier]):
                left[self.of.onto[role, earlier, self.drawn[earlier][card]]] -= 1
        self.cells(role, 0, self.of.cards[role], column, subgroup, weight)

    cdef void cells(
        self, int role, int block, int todo, int column, int subgroup, int64_t weight
    ) noexcept nogil:
        """Draw the ``todo`` last cards of a role from a block or those after it."""
        cdef int kind, m, x, i, run, first, label, copies
        cdef int64_t ways, size, place, row
        cdef int32_t* left = self.left[role]
        cdef uint8_t* drawn = &self.drawn[role][self.of.cards[role] - todo]
        cdef int blocks = self.of.blocks[role]
        cdef bint last = role + 1 == self.of.cards.shape[0]
        cdef Cell cell
        if last and todo == 1 and self.singles(block, column, subgroup, weight):
            return
        for block in range(block, blocks):
            kind = self.of.block_kind[role, block]
            first = self.of.block_label[role, block]
            copies = self.of.block_copies[role, block]
            for m in range(1 if block + 1 < blocks else todo, todo + 1):
                for x in range(self.of.cell_first[kind, subgroup, m], self.of.cell_first[kind, subgroup, m + 1]):
                    cell = self.of.cell[x]
                    if cell.most > copies:
                        continue
                    size = self.of.bound[role, block + 1, todo - m, cell.next]
                    place = self.place
                    if place >= self.stop:
                        return
                    self.place = place + size
                    if self.place <= self.start or size == 0:
                        continue
                    # Ways to draw the cell: cards of a label are taken together.
                    ways = cell.orbit
                    i = 0
                    while i < m:
                        label = cell.picks[i]
                        run = 1
                        while i + run < m and cell.picks[i + run] == label:
                            run += 1
                        label += first
                        ways *= self.of.choose[left[label], run] if left[label] >= run else 0
                        i += run
                    if ways == 0:
                        continue
                    row = self.row
                    if last and m == todo:
                        self.weights[row] = weight * ways
                        for i in range(m):
                            label = first + cell.picks[i]
                            self.ranks[column + i, row] = self.of.rank[role, label]
                            self.suits[column + i, row] = self.of.suit[role, label]
                        self.row = row + 1
                        continue
                    for i in range(m):
                        drawn[i] = <uint8_t> (first + cell.picks[i])
                    self.place = place
                    if m == todo:
                        self.role(role + 1, column + m, cell.next, weight * ways)
                    else:
                        self.cells(role, block + 1, todo - m, column + m, cell.next, weight * ways)
                    self.place = place + size
                    for i in range(m):
                        label = first + cell.picks[i]
                        self.fill(column + i, row, self.of.rank[role, label], self.of.suit[role, label])

    cdef inline bint singles(self, int block, int column, int subgroup, int64_t weight) noexcept nogil:
        """Draw the last card of all from a block or those after it; False unless all of these are asked for."""
        cdef int role = <int> self.of.cards.shape[0] - 1
        cdef int i = self.of.single_first[subgroup][block]
        cdef int end = self.of.single_first[subgroup][self.of.blocks[role]]
        cdef int32_t* left = self.left[role]
        cdef int64_t row = self.row
        cdef Single* single = self.of.single[subgroup]
        if self.place < self.start or self.place + end - i > self.stop:
            return False
        self.place += end - i
        if i == end:
            return True
        cdef int64_t* weights = &self.weights[0]
        cdef int8_t* ranks = &self.ranks[column, 0]
        cdef int8_t* suits = &self.suits[column, 0]
        for i in range(i, end):
            # If no such card is left, the next class takes the row.
            if left[single[i].label] > 0:
                weights[row] = weight * single[i].orbit * left[single[i].label]
                ranks[row] = single[i].rank
                suits[row] = single[i].suit
                row += 1
        self.row = row
        return True

    cdef inline void fill(self, int column, int64_t row, int8_t rank, int8_t suit) noexcept nogil:
        """Write a card into all rows from ``row`` on."""
        if row < self.row:
            memset(&self.ranks[column, row], rank, self.row - row)
            memset(&self.suits[column, row], suit, self.row - row)


def add_up(const int64_t[::1] codes, int64_t first, const int64_t[::1] weights, int64_t[::1] sums):
    """Add each row's weight to ``sums[code - first]``; the sum of all weights is below 2**62.

    Raise ValueError for a code without a sum.
    """
    cdef Py_ssize_t row
    cdef int64_t code
    cdef bint outside = False
    if codes.shape[0] != weights.shape[0]:
        raise ValueError("codes and weights do not have the same number of rows")
    with nogil:
        for row in range(codes.shape[0]):
            code = codes[row] - first
            if code < 0 or code >= sums.shape[0]:
                outside = True
                break
            sums[code] += weights[row]
    if outside:
        raise ValueError("a code has no sum")
