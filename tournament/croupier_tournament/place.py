"""Where a cup lies: its folder with the store, the bots' folders, the server's log and the results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from croupier_server.games import GAMES
from croupier_server.store import open_store, reads
from croupier_tournament.cupfile_on_disk import load_cup_file

FOLDERS = Path("cups")  # below the working directory
STORE = "store.sqlite"


class PlaceError(Exception):
    """There is no cup there, or more than one; in words."""


@dataclass(frozen=True, slots=True)
class CupPlace:
    """The folder of a cup and the URL of its store."""

    cup: str
    folder: Path
    store: str

    @classmethod
    def of(cls, cup: str, folder: Path | None, store: str | None) -> CupPlace:
        """Where the cup of that name lies, unless told otherwise."""
        where = folder or FOLDERS / cup
        return cls(cup, where, store or _store_in(where))

    @property
    def bots(self) -> Path:
        """Each bot has a folder of its own below it."""
        return self.folder / "bots"

    @property
    def server_log(self) -> Path:
        """What the server says."""
        return self.folder / "server.log"

    @contextmanager
    def made(self) -> Iterator[None]:
        """The folder, for the block; one that was made for it and stayed empty goes away again.

        Raises PlaceError when it cannot be made.
        """
        missing = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
        try:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise PlaceError(f"{self.folder}: {error.strerror}; expected a folder, or a place for one") from error
            yield
        finally:
            for path in missing:
                with suppress(OSError):  # there is something in it
                    path.rmdir()

    def check_there(self) -> None:
        """Raises PlaceError when there is no store where the cup should have its own."""
        if self.store == _store_in(self.folder) and not (self.folder / STORE).exists():
            raise PlaceError(f"there is no cup {self.cup!r} in {self.folder}")


def find_place(word: str, folder: Path | None, store: str | None) -> CupPlace:
    """The place that a person means by the name, the file or the folder of a cup.

    Raises PlaceError, CupFileError and StoreError.
    """
    path = Path(word)
    if store is None and path.is_dir() and (path / STORE).exists():
        with open_store(_store_in(path)) as opened:
            names = [cup.name for cup in opened.read(reads.cups)]
        if len(names) != 1:
            raise PlaceError(f"{word}: its store holds {len(names)} cups ({', '.join(names)}); name one")
        return CupPlace.of(names[0], path, None)
    name = load_cup_file(path, GAMES, cores=1).name if path.is_file() else word
    place = CupPlace.of(name, folder, store)
    place.check_there()
    with open_store(place.store) as opened:
        opened.read(reads.cup, name)
    return place


def _store_in(folder: Path) -> str:
    return f"sqlite:///{(folder / STORE).absolute()}"
