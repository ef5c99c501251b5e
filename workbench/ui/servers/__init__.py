"""Servers: llama-servers on this computer."""
