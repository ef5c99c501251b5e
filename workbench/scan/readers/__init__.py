"""Readers of files: each module has `recognise(file)` and `read(file)`; `table` has a row for each."""
