"""What can go wrong in a store, in words for the person at the terminal; callers tell apart only what they act on."""

from __future__ import annotations


class StoreError(Exception):
    """A store cannot do what was asked; nothing of it was done. The text says where, what was found and expected."""


class UnknownCupError(StoreError):
    """No cup of that name is in the store."""


class CupExistsError(StoreError):
    """A cup of that name is in the store already."""


class CupBusyError(StoreError):
    """Another process runs the cup."""


class AlreadyCommittedError(StoreError):
    """The match has its one outcome; a second changes nothing."""
