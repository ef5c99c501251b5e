"""A local endpoint between any agent and any model: routed, emulated, boosted, repaired or passed through, and recorded.

Each request of a client is one run: the engine asks the target, the client gets the reply in its own protocol while it
comes, and the record holds both. A client's tools are never executed here: it executes them itself and asks again.
"""
