"""The sub-commands of `croupier` that need the server's code: serve, replay, verify."""
