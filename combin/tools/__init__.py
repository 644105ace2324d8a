"""Designing paytables, and rewriting the committed analyses."""
