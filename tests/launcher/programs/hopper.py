"""A process that moves on: each generation forks the next into a new session, writes a byte to argv[1], and ends."""

import os
import sys

generations = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
while True:
    if os.fork():
        os._exit(0)
    os.setsid()
    os.write(generations, b".")
