"""A run for others: exports and reports to who wrote a parser."""
