"""What the wires share: bytes cut into events, pieces of calls put together, tool names, errors, the frame of the server sides."""
