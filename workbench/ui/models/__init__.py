"""Item models and folded views of core values."""
