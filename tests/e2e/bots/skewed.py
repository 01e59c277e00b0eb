"""Speaks a version of the protocol that is yet to come; ends with the server's answer."""

from tests.e2e.bots.stub import Stream

stream = Stream()
stream.hello(version=2)
for response in stream:
    print(response)
