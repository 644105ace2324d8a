"""The results of `combin strategy`: best play, simpler play and its cost, joined wagers."""
