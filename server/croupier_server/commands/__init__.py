"""The sub-commands of `croupier` that need the server's code: games, serve, replay, verify."""
