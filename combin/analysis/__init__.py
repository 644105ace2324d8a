"""From a resolved paytable to its exact figures."""
