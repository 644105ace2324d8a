"""Progressives: meters, their long run, the winners of a round, Must Hit."""
