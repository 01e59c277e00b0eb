"""The tournament runner: cup files, schedules, ratings, standings and the runner itself."""
