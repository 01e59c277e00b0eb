"""The launcher of bot processes: starts them, keeps their output, ends them whole, even when the runner is killed.

Three kinds of process work together, each a plain single-threaded Python process without grpc or asyncio but the first:

- the *runner* (any asyncio program) talks through `client.Launcher`;
- the *warden* (`warden`), its one child, forks a keeper for each bot and outlives the runner by as long as it takes to
  end everything;
- a *keeper* (`keeper`) has one bot. It is a child subreaper, so whatever a bot forks, daemonizes or moves into another
  session stays below its keeper, and a bot is gone when its keeper has no child left.

Who dies, and who cleans up: the runner - every keeper and the warden read the end of their sockets; the warden - the
kernel signals each keeper; a keeper - the kernel kills its bot, and the warden inherits and kills the rest.

This module imports nothing, because the warden is started from this package and must stay light.
"""
