"""Chase the Flush by the sweep: every cell of the joint distribution that its own kernel counts."""

from fractions import Fraction

import numpy as np
import pytest

from combin.games.chase_the_flush import solve as own_kernel
from combin.games.showdown.solve import solve

from . import rounds

#: The order of the kernel's choices, as the names of our paths.
PATHS = (("three",), ("check", "two"), ("check", "check", "one"), ("check", "check", "fold"))


@pytest.mark.slow
def test_all_cells_of_the_joint_distribution() -> None:
    round, settlement = rounds.chase_the_flush()
    solution = solve(round, settlement)
    leaves = [leaf.names for leaf in round.leaves]
    at = [leaves.index(path) for path in PATHS]
    # [choice][qualifies][result][length - 2]; both tables have this order of axes.
    utility = settlement.utility[at][..., 0].astype(np.int64)
    kernel = own_kernel.solve([utility])[0]
    assert solution.deals == own_kernel.DEALS == 22_100 * 1_176 * 1_081 * 14_190
    assert solution.value == Fraction(-12033802351, 503364407000)
    joint = solution.joint[at][..., 0]
    # Folded hands are compared as well, by both.
    assert (joint == kernel.joint).all()
    assert np.count_nonzero(joint) > 60
