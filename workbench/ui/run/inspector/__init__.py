"""What the inspector beside a run shows: timing, wire, chunks, forensics, a field."""
