"""All formats over one text: what each reads, which attempts there are, and who is to blame for a lost call."""
