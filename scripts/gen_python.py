"""Generates croupier.v1 (and the private croupier.control.v1) from proto/, with the protoc inside grpcio-tools.

The proto package equals the Python package, so the imports in generated code are right as they are. Nothing generated
is committed; `digest` tells a test whether the generated code still belongs to the protos.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import shutil
import sys
from pathlib import Path


def digest(root: Path) -> str:
    """SHA-256 (hex) over the names and texts of all protos below `root`/proto, in name order."""
    total = hashlib.sha256()
    for path in sorted((root / "proto").rglob("*.proto")):
        total.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def _plugins() -> list[str]:
    flags = []
    for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc"):
        beside = Path(sys.executable).parent / name
        flags.append(f"--plugin={name}={beside if beside.exists() else shutil.which(name)}")
    return flags


def main(root: Path) -> None:
    """Writes the generated packages below `root`/clients/python; ends the process when protoc refuses."""
    from grpc_tools import protoc

    source, out = root / "proto", root / "clients" / "python"
    include = str(importlib.resources.files("grpc_tools") / "_proto")
    base = ["protoc", f"-I{source}", f"-I{include}", *_plugins()]
    files = sorted(path.relative_to(source).as_posix() for path in source.rglob("*.proto"))
    services = [name for name in files if name.endswith("_service.proto")]
    for stale in out.rglob("*_pb2*.py*"):
        stale.unlink()
    if protoc.main([*base, f"--python_out={out}", f"--mypy_out={out}", *files]):
        sys.exit("protoc failed on the messages")
    if protoc.main([*base, f"--grpc_python_out={out}", f"--mypy_grpc_out={out}", *services]):
        sys.exit("protoc failed on the services")
    for folder in {(out / name).parent for name in files}:
        text = f'"""Generated from proto/; do not edit."""\n\nPROTO_SHA256 = "{digest(root)}"\n'
        (folder / "__init__.py").write_text(text)
    (out / "croupier" / "control" / "__init__.py").write_text('"""Generated from proto/; do not edit."""\n')


if __name__ == "__main__":
    main(Path(__file__).resolve().parent.parent)
