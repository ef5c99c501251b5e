"""The page Scan: other people's files, what was found in them, and one finding with its characters."""
