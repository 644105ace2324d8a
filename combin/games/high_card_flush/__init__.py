"""High Card Flush: its solution and the strategies that its players use."""
