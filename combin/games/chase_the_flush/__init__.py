"""Chase the Flush: its solution, single positions, and the strategies that its players use."""
