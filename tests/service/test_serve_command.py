"""`croupier serve` as a process of its own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from croupier.v1 import arena_service_pb2 as arena
from croupier.v1 import arena_service_pb2_grpc
from croupier_server.store import Access, open_store

SERVE = (sys.executable, "-m", "croupier", "serve")
SECONDS = 30


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server for the block, and its address."""
    command = [*SERVE, "--listen", "127.0.0.1:0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("croupier serves on "), line
            yield process, line.split()[-1]
        finally:
            process.kill()


def test_it_reads_a_store_when_no_cup_runs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    open_store(url, Access.CREATE).close()
    with serving("--store", url) as (_, address), grpc.insecure_channel(address) as channel:
        stub = arena_service_pb2_grpc.ArenaServiceStub(channel)
        assert not stub.ListCups(arena.ListCupsRequest(), timeout=SECONDS).cups


def test_health_and_reflection_are_on() -> None:
    with serving() as (_, address), grpc.insecure_channel(address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        for service in ("", "croupier.v1.PlayService", "croupier.v1.ArenaService"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=service), timeout=SECONDS)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = reflection.ServerReflectionInfo(iter([request]), timeout=SECONDS)
        names = {service.name for service in answer.list_services_response.service}
    assert {"croupier.v1.PlayService", "croupier.v1.ArenaService", "grpc.health.v1.Health"} <= names


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_peace_when_it_is_told_to(name: signal.Signals) -> None:
    with serving() as (process, _):
        process.send_signal(name)
        assert process.wait(SECONDS) == 0


def test_a_port_in_use_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run([*SERVE, "--listen", address], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2
    assert f"cannot listen on {address}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_server_does_not_share_a_port_in_silence() -> None:
    with serving() as (_, address):
        done = subprocess.run([*SERVE, "--listen", address], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2


@pytest.mark.parametrize(
    "arguments", [["--store", "sqlite:////no/such/store"], ["--store", "http://x"], ["--listen", "nonsense"], ["--x"]]
)
def test_bad_arguments_are_refused_in_words(arguments: list[str]) -> None:
    done = subprocess.run([*SERVE, *arguments], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr
