"""The endings of a round, and their indices in a table of utilities or of deals.

An ending is [dealer fails to qualify, qualifies][player loses, ties, wins]. High Card Flush has its tables
by [choice][ending], Chase the Flush by [choice][ending][length of the player's flush - 2].
"""

cdef enum:
    FAILS = 0
    QUALIFIES = 1

cdef enum:
    LOSE = 0
    TIE = 1
    WIN = 2
    RESULTS = 3

cdef enum:
    ENDINGS = 6            # 2 * RESULTS
    LENGTHS = 6            # flushes of two to seven cards
    SHORTEST = 2

# the choices of Chase the Flush
cdef enum:
    RAISE_3X = 0
    RAISE_2X = 1
    RAISE_1X = 2
    FOLD = 3
    CHOICES = 4
    CELLS = 144            # CHOICES * ENDINGS * LENGTHS


cdef inline int ending(int qualifies, int result) noexcept nogil:
    return RESULTS * qualifies + result


cdef inline int result_of(int mine, int theirs) noexcept nogil:
    """Return the player's result with one flush against the dealer's."""
    return (theirs <= mine) + (theirs < mine)


cdef inline int cell(int choice, int qualifies, int result, int length) noexcept nogil:
    """Return the index in a table of Chase the Flush."""
    return (ENDINGS * choice + ending(qualifies, result)) * LENGTHS + length - SHORTEST
