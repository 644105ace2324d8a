"""Games with decisions and promotions: their rules, results and solvers."""
