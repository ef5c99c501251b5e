"""What others have, read into ours: benchmark files, recorded replies, cases of other programs, requests."""
