"""The host's share, by numbers handed in: no clock runs here."""

from __future__ import annotations

from croupier_server.service.host_time import BEAT_US, SLACK_US, HostTime
from croupier_server.service.session import Allowance


def test_beats_in_time_cost_the_host_nothing() -> None:
    host = HostTime(0)
    for beat in range(1, 100):
        assert not host.beat(beat * BEAT_US + SLACK_US // 2 * (beat % 2))
    assert host.lag_us == 0


def test_a_late_beat_is_the_hosts_time() -> None:
    host = HostTime(0)
    assert host.beat(BEAT_US + 70_000)
    assert host.lag_us == 70_000


def test_lag_is_counted_once_however_often_it_is_asked_for() -> None:
    host = HostTime(0)
    late = BEAT_US + 500_000
    assert host.observe(late)
    assert not host.observe(late + 1_000)
    assert host.beat(late + 10_000)
    assert host.lag_us == 510_000


def test_the_beat_after_a_gap_is_due_one_period_later() -> None:
    host = HostTime(0)
    host.beat(1_000_000)
    lag = host.lag_us
    assert not host.beat(1_000_000 + BEAT_US)
    assert host.lag_us == lag


def test_an_allowance_lets_a_burst_pass_and_then_asks_for_pauses() -> None:
    allowance = Allowance(per_second=10.0, burst=5)
    assert [allowance.take(100.0) for _ in range(5)] == [0.0] * 5
    assert allowance.take(100.0) == 0.1
    assert allowance.take(100.0) == 0.2
    assert allowance.take(101.0) == 0.0
