"""Games with decisions, and hands that are drawn out."""
