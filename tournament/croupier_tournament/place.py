"""Where a cup lies: its folder with the store, the bots' folders, the server's log and the results."""

from __future__ import annotations

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
        return cls(cup, where, store or f"sqlite:///{(where / STORE).absolute()}")

    @property
    def bots(self) -> Path:
        """Each bot has a folder of its own below it."""
        return self.folder / "bots"

    @property
    def server_log(self) -> Path:
        """What the server says."""
        return self.folder / "server.log"


def find_place(word: str, folder: Path | None, store: str | None) -> CupPlace:
    """The place that a person means by the name, the file or the folder of a cup.

    Raises PlaceError, CupFileError and StoreError.
    """
    path = Path(word)
    if store is None and path.is_dir() and (path / STORE).exists():
        folder, store = path, f"sqlite:///{(path / STORE).absolute()}"
        with open_store(store) as opened:
            names = [cup.name for cup in opened.read(reads.cups)]
        if len(names) != 1:
            raise PlaceError(f"{word}: its store holds {len(names)} cups ({', '.join(names)}); name one")
        return CupPlace(names[0], folder, store)
    name = load_cup_file(path, GAMES, cores=1).name if path.is_file() else word
    place = CupPlace.of(name, folder, store)
    if store is None and not (place.folder / STORE).exists():
        raise PlaceError(f"there is no cup {name!r} in {place.folder}")
    with open_store(place.store) as opened:
        opened.read(reads.cup, name)
    return place
