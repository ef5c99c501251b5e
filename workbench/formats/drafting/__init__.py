"""A new dialect: from texts with calls in markup that no format reads to a family file and its data file."""
