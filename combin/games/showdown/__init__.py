"""Games with decisions that a file describes: what is dealt, what may be chosen, how hands are ranked."""
