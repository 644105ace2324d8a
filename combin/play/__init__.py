"""What `combin strategy` does: the best play, simpler play and what it costs, wagers joined."""
