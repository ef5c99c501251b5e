"""What shows a run or its text wherever it appears."""
