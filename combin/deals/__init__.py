"""What is dealt from which shoe, and the tables of its classes."""
