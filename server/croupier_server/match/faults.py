"""The one error of verification."""

from __future__ import annotations


class Fault(ValueError):  # noqa: N818  # a fault of the record, not an error of the reader
    """Something in a record is not as it must be; says where, what was found and what was expected."""


def require(holds: bool, fault: str) -> None:
    """Raises Fault unless it holds."""
    if not holds:
        raise Fault(fault)
