"""llama-server on this computer: reads GGUF files, finds the program, proposes its flags, starts, watches and stops it."""
