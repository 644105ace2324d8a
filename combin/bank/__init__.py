"""Simulation of a bank of tables: the plan, one year of it, and many years on many workers."""
