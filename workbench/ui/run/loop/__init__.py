"""The loops of a run as cards: header, steps, columns, texts."""
