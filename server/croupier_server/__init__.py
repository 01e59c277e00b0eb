"""The server: rules, games, referee, service, store and the launcher of bot processes."""
