"""Wire protocols, pure: requests to bytes and bytes to deltas."""
