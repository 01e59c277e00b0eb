"""Tuples with one item other than before: how immutable positions move a card. No rules."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def replaced(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with another one in a place from 0, which must be there."""
    return (*items[:at], item, *items[at + 1 :])


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """The items without the first one that is equal; raises ValueError when there is none."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]
