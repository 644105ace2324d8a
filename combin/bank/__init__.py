"""A bank of tables over a stretch of time: the plan, a year of it, and many years on many workers."""
