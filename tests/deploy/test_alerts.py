"""Each alert fires on its fault and on nothing else, and has a page that says what to do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from service.cli import COMMANDS
from service.problems import BY_CODE
from tests.deploy.files import DEPLOY
from tests.deploy.test_files import names

RULES = DEPLOY / "prometheus" / "alerts.yaml"
PAGES = DEPLOY / "runbook"
HEADINGS = ["What players see", "How to be sure", "What to type"]

__all__ = ["names"]

WHO = 'job="any",instance="one"'
ROUTE = 'method="POST",route="/v1/games/{game}/commands"'

HEALTHY = {
    f"up{{{WHO}}}": "1x6000",
    f'decklog_build_info{{{WHO},version="1",commit="a",format="3",store="sqlite"}}': "1x6000",
    f'decklog_works{{{WHO},part="store"}}': "1x6000",
    f"decklog_store_bytes{{{WHO}}}": "1000000x6000",
    f"decklog_store_timeline{{{WHO}}}": "1x6000",
    f"decklog_store_turns_total{{{WHO}}}": "0x6000",
    f"decklog_games_damaged{{{WHO}}}": "0x6000",
    f'decklog_games_frozen{{{WHO},why="rules"}}': "0x6000",
    f"decklog_games_unarchived{{{WHO}}}": "0x6000",
    f"decklog_instructions_foreign{{{WHO}}}": "0x6000",
    f"decklog_clock_suspended{{{WHO}}}": "0x6000",
    f"decklog_clock_skew_seconds{{{WHO}}}": "0x6000",
    f"decklog_draining{{{WHO}}}": "0x6000",
    f"decklog_signing_ended{{{WHO}}}": "0x6000",
    f"decklog_deadlines_postponed_total{{{WHO}}}": "0x6000",
    f"decklog_clock_answers_total{{{WHO}}}": "0x6000",
    f"decklog_commands_total{{{WHO}}}": "0+60x6000",
    f"decklog_conflicts_total{{{WHO}}}": "0+1x6000",
    f'decklog_requests_total{{{WHO},{ROUTE},status="201"}}': "0+60x6000",
    f'decklog_request_seconds_bucket{{{WHO},{ROUTE},le="0.25"}}': "0+60x6000",
    f'decklog_request_seconds_bucket{{{WHO},{ROUTE},le="1.0"}}': "0+60x6000",
    f'decklog_request_seconds_bucket{{{WHO},{ROUTE},le="+Inf"}}': "0+60x6000",
    f"decklog_request_seconds_count{{{WHO},{ROUTE}}}": "0+60x6000",
    f'decklog_stream_lag_seconds_bucket{{{WHO},le="1.0"}}': "0+60x6000",
    f'decklog_stream_lag_seconds_bucket{{{WHO},le="+Inf"}}': "0+60x6000",
    f"decklog_stream_lag_seconds_count{{{WHO}}}": "0+60x6000",
    f'decklog_store_commit_seconds_bucket{{{WHO},le="0.1"}}': "0+60x6000",
    f'decklog_store_commit_seconds_bucket{{{WHO},le="+Inf"}}': "0+60x6000",
    f"decklog_store_wait_seconds_total{{{WHO}}}": "0x6000",
    f'decklog_room_bytes{{{WHO},place="store"}}': "50000000000x6000",
    f"decklog_backup_timestamp_seconds{{{WHO}}}": "0+60x6000",
    f"decklog_backup_whole{{{WHO}}}": "1x6000",
    f"decklog_backup_drill_timestamp_seconds{{{WHO}}}": "0+60x6000",
    f"decklog_backup_drill_succeeded{{{WHO}}}": "1x6000",
    f"decklog_backup_shadow_timestamp_seconds{{{WHO}}}": "0+60x6000",
    f"decklog_store_archived_timestamp_seconds{{{WHO}}}": "0+60x6000",
    f"decklog_engine_queue{{{WHO}}}": "0x6000",
    f'decklog_projection_lag_events{{{WHO},projection="lobby"}}': "0x6000",
    f"decklog_following{{{WHO}}}": "1x6000",
    f"decklog_log_waiting_seconds{{{WHO}}}": "0.5x6000",
    f"decklog_log_uncosigned_seconds{{{WHO}}}": "1x6000",
    f"decklog_beacon_waiting_seconds{{{WHO}}}": "0x6000",
    f"decklog_unopened_seconds{{{WHO}}}": "0x6000",
    f"decklog_webhooks_given_up_total{{{WHO}}}": "0x6000",
    f"decklog_redis_up{{{WHO}}}": "1x6000",
    f"process_resident_memory_bytes{{{WHO}}}": "300000000x6000",
}
"""A worker that is well, a sample a minute. Commands are sixty a minute, all of them quick."""


class Case(NamedTuple):
    """A fault: the series that it changes, and which alerts fire after so many minutes."""

    alerts: tuple[str, ...]
    minutes: int
    changed: dict[str, str]


def series(name: str, values: str, **more: str) -> dict[str, str]:
    """One of the healthy series with other values; labels choose among several."""
    found = [
        key
        for key in HEALTHY
        if key.startswith(name + "{") and all(f'{k}="{v}"' in key for k, v in more.items())
    ]
    assert len(found) == 1, (name, found)
    return {found[0]: values}


OF_A_WORKER_THAT_IS_GONE = {
    key: "1x300 stale" for key in HEALTHY if key.startswith("decklog_build_info")
}
STOPPED = "0+60x60 3600x6000"
"""A counter of what happens once a second, until nothing happens any more."""

CASES = {
    "one of two is down": Case(
        ("DecklogWorkerDown",), 305,
        {
            'up{job="any",instance="two"}': "1x300 0x300",
            'decklog_build_info{job="any",instance="two",version="1",commit="a",format="3",'
            'store="sqlite"}': "1x300 stale",
        },
    ),
    "what never was a worker is down": Case((), 305, {'up{job="other",instance="x"}': "0x600"}),
    "none is there": Case(
        ("DecklogAllDown", "DecklogWorkerDown"), 305,
        {**OF_A_WORKER_THAT_IS_GONE, **series("up", "1x300 0x300")},
    ),
    "the store is another": Case(
        ("DecklogStoreTurned",), 305, series("decklog_store_turns_total", "0x300 1x300")
    ),
    "two histories": Case(
        ("DecklogTimelinesDiffer",), 305,
        {'decklog_store_timeline{job="any",instance="two"}': "1x300 2x300"},
    ),
    "a damaged game": Case(
        ("DecklogGamesDamaged",), 305, series("decklog_games_damaged", "0x300 2x300")
    ),
    "rules that come to no end": Case(
        ("DecklogGameFrozen",), 305, series("decklog_games_frozen", "0x300 1x300")
    ),
    "a clock that jumped": Case(
        ("DecklogClockSuspended", "DecklogClockSkew"), 310,
        series("decklog_clock_suspended", "0x300 1x300")
        | series("decklog_clock_skew_seconds", "0x300 -7200x300"),
    ),
    "a clock that drifts": Case(
        ("DecklogClockSkew",), 310, series("decklog_clock_skew_seconds", "0x300 0.7x300")
    ),
    "a worker that stays drained": Case(
        ("DecklogDrained",), 370, series("decklog_draining", "0x300 1x300")
    ),
    "a key that signs has ended": Case(
        ("DecklogSigningEnded",), 305, series("decklog_signing_ended", "0x300 1x300")
    ),
    "a deadline that is put off": Case(
        ("DecklogDeadlinesPostponed",), 305,
        series("decklog_deadlines_postponed_total", "0x300 1x300"),
    ),
    "the clock plays alone": Case(
        ("DecklogClockPlays",), 100,
        series("decklog_clock_answers_total", "0+6x600")
        | series("decklog_commands_total", STOPPED),
    ),
    "the store does not work": Case(
        ("DecklogPartFails",), 305, series("decklog_works", "1x300 0x300")
    ),
    "requests end in 500": Case(
        ("DecklogFaults", "DecklogCommandsBurnFast"), 40,
        {f'decklog_requests_total{{{WHO},{ROUTE},status="500"}}': "0x10 0+6x600"},
    ),
    "requests are turned away": Case(
        ("DecklogUnavailable", "DecklogCommandsBurnFast"), 40,
        {f'decklog_requests_total{{{WHO},{ROUTE},status="507"}}': "0x10 0+12x600"},
    ),
    "a client that repeats what is stale": Case(
        ("DecklogConflictsDoNotEnd",), 40, series("decklog_conflicts_total", "0+600x600")
    ),
    "slow commands": Case(
        ("DecklogSlowCommands", "DecklogCommandsBurnFast"), 40,
        series("decklog_request_seconds_bucket", "0+40x600", le="0.25")
        | series("decklog_request_seconds_bucket", "0+40x600", le="1.0")
        | {f'decklog_request_seconds_bucket{{{WHO},{ROUTE},le="2.5"}}': "0+60x600"},
    ),
    "slow commits": Case(
        ("DecklogSlowCommits",), 40,
        series("decklog_store_commit_seconds_bucket", "0+20x600", le="0.1")
        | {f'decklog_store_commit_seconds_bucket{{{WHO},le="0.5"}}': "0+60x600"},
    ),
    "everybody waits for a connection": Case(
        ("DecklogStoreWaits",), 40, series("decklog_store_wait_seconds_total", "0+120x600")
    ),
    "no figures of the store": Case(
        ("DecklogStoreUnknown",), 40, series("decklog_store_bytes", "_x600")
    ),
    "little room": Case(
        ("DecklogRoomLow",), 340, series("decklog_room_bytes", "50000000000x300 500000000x300")
    ),
    "room that is used up in a day": Case(
        ("DecklogRoomLow",), 400, series("decklog_room_bytes", "50000000000-30000000x600")
    ),
    "no backup since the morning": Case(
        ("DecklogBackupOld",), 1_000, series("decklog_backup_timestamp_seconds", "0x1200")
    ),
    "an attempt that failed": Case(
        ("DecklogBackupFailed",), 305, series("decklog_backup_whole", "1x300 0x300")
    ),
    "nobody tells of a backup": Case(
        ("DecklogBackupUnknown",), 100, series("decklog_backup_timestamp_seconds", "_x600")
    ),
    "a second folder that stands still": Case(
        ("DecklogShadowBehind",), 310,
        series("decklog_backup_shadow_timestamp_seconds", "0+60x300 18000x300"),
    ),
    "a log that is not archived": Case(
        ("DecklogArchiveBehind",), 310,
        series("decklog_store_archived_timestamp_seconds", "0+60x300 18000x300"),
    ),
    "a drill that failed": Case(
        ("DecklogDrillFailed",), 305, series("decklog_backup_drill_succeeded", "1x300 0x300")
    ),
    "no drill for ten days": Case(
        ("DecklogDrillOld",), 14_400,
        {key: values.replace("x6000", "x15000") for key, values in HEALTHY.items()}
        | series("decklog_backup_drill_timestamp_seconds", "0x15000"),
    ),
    "never a drill": Case(
        ("DecklogDrillOld",), 100, series("decklog_backup_drill_timestamp_seconds", "_x600")
    ),
    "too much waits": Case(
        ("DecklogQueueGrows",), 305, series("decklog_engine_queue", "0x300 900x300")
    ),
    "late events": Case(
        ("DecklogStreamsLag", "DecklogEventsBurnFast"), 40,
        series("decklog_stream_lag_seconds_bucket", "0+30x600", le="1.0")
        | {f'decklog_stream_lag_seconds_bucket{{{WHO},le="2.5"}}': "0+60x600"},
    ),
    "a projection that is behind": Case(
        ("DecklogProjectionsLag",), 320, series("decklog_projection_lag_events", "0x300 5000x300")
    ),
    "nobody follows": Case(
        ("DecklogNobodyFollows",), 310, series("decklog_following", "1x300 0x300")
    ),
    "a log that signs nothing": Case(
        ("DecklogLogWaits",), 310, series("decklog_log_waiting_seconds", "0x300 40+60x300")
    ),
    "witnesses that do not cosign": Case(
        ("DecklogLogUncosigned",), 315, series("decklog_log_uncosigned_seconds", "0x300 360+60x300")
    ),
    "a beacon that does not come": Case(
        ("DecklogBeaconAbsent",), 306, series("decklog_beacon_waiting_seconds", "0x300 60+60x300")
    ),
    "games whose dice stay closed": Case(
        ("DecklogGamesUnopened",), 315, series("decklog_unopened_seconds", "0x300 660+60x300")
    ),
    "messages given up": Case(
        ("DecklogWebhooksGivenUp",), 330, series("decklog_webhooks_given_up_total", "0x300 0+2x300")
    ),
    "an update half done": Case(
        ("DecklogVersionsDiffer",), 100,
        {
            'decklog_build_info{job="any",instance="two",version="2",commit="b",format="3",'
            'store="sqlite"}': "1x600"
        },
    ),
    "a finished game stays in the table": Case(
        ("DecklogGamesUnarchived",), 301, series("decklog_games_unarchived", "0x300 1x300")
    ),
    "an instruction under another key": Case(
        ("DecklogInstructionsForeign",), 310, series("decklog_instructions_foreign", "0x300 1x300")
    ),
    "no Redis": Case(("DecklogRedisDown",), 310, series("decklog_redis_up", "1x300 0x300")),
    "much memory": Case(
        ("DecklogMemory",), 320,
        series("process_resident_memory_bytes", "300000000x300 950000000x300"),
    ),
    "somebody else's memory": Case(
        (), 320, {'process_resident_memory_bytes{job="other",instance="x"}': "9000000000x600"}
    ),
    "one command in four hundred is slow, for days": Case(
        ("DecklogCommandsBurnSlow",), 4_000,
        series("decklog_request_seconds_bucket", "0+59.85x6000", le="0.25"),
    ),
    "one event in four hundred is late, for days": Case(
        ("DecklogEventsBurnSlow",), 4_000,
        series("decklog_stream_lag_seconds_bucket", "0+59.85x6000", le="1.0")
        | {f'decklog_stream_lag_seconds_bucket{{{WHO},le="2.5"}}': "0+60x6000"},
    ),
    "all is well": Case((), 900, {}),
}  # fmt: skip


def rules() -> list[dict[str, Any]]:
    told = yaml.safe_load(RULES.read_text("utf-8"))
    return [rule for group in told["groups"] for rule in group["rules"] if "alert" in rule]


ALERTS = [rule["alert"] for rule in rules()]


def test_each_alert_has_a_case_and_each_case_asks_for_what_is_counted(names: set[str]) -> None:
    told = {name for case in CASES.values() for name in case.alerts}
    assert told == {*ALERTS}
    asked = {key.partition("{")[0] for case in CASES.values() for key in (*HEALTHY, *case.changed)}
    assert asked - names == {"up"}


def test_no_alert_names_a_job() -> None:
    assert not re.search(r"job\s*=", RULES.read_text("utf-8"))


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_has_its_page(name: str) -> None:
    (rule,) = [each for each in rules() if each["alert"] == name]
    assert rule["annotations"]["runbook"] == f"deploy/runbook/{name}.md"
    told = (PAGES / f"{name}.md").read_text("utf-8")
    assert told.startswith(f"# {name}\n")
    assert re.findall(r"^## (.*)$", told, re.MULTILINE) == HEADINGS
    sure, typed = re.findall(r"```sh\n(.*?)```", told, re.DOTALL)
    assert sure
    assert typed
    for line in (sure + typed).splitlines():
        if line.startswith("decklog "):
            assert line.split()[1] in COMMANDS, line
    for metrics in re.findall(r"/metrics \| grep (?:-E )?'?([a-z_|.*]+)", told):
        assert metrics.strip("|_.*"), told
    codes = set(re.findall(r"`([a-z]+\.[a-z-]+)`", told)) - {"decklog.epoch-started"}
    assert codes <= {*BY_CODE}


def test_there_is_no_page_without_an_alert() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {*ALERTS}


def promtool() -> str | None:
    """Prometheus' own checker, where there is one."""
    named = os.environ.get("DECKLOG_TEST_PROMTOOL", "")
    return named or shutil.which("promtool", path=f"{os.environ['PATH']}:/usr/bin:/usr/local/bin")


def trial(case: Case) -> dict[str, Any]:
    """A test of promtool's: what fires, and that all the rest does not."""
    length = f"x{case.minutes + 9}"
    told = {key: v.replace("x6000", length) for key, v in {**HEALTHY, **case.changed}.items()}
    return {
        "interval": "1m",
        "input_series": [{"series": key, "values": values} for key, values in told.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{case.minutes}m",
                "exp_samples": [
                    {"labels": f'{{alertname="{name}"}}', "value": 1}
                    for name in sorted(case.alerts)
                ],
            }
        ],
    }


FORM = re.compile(r"((-?[0-9.]+([+-][0-9.]+)?|_)(x[0-9]+)?|stale)( (?!$)|$)")


def trials() -> list[dict[str, Any]]:
    return [trial(case) for case in CASES.values()]


def test_the_cases_are_written_as_promtool_reads_them() -> None:
    values = {each["values"] for told in trials() for each in told["input_series"]}
    assert [each for each in values if FORM.sub("", each)] == []


@pytest.mark.slow("alerts")
@pytest.mark.timeout(900)  # it takes three minutes of a processor
def test_each_fires_on_its_fault_and_nothing_else_does(tmp_path: Path) -> None:
    """By promtool, where it is found; else only the tests before hold the cases, to the form that
    it reads and to what is counted."""
    program = promtool()
    if program is None:
        return
    file = tmp_path / "cases.yaml"
    told = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": trials()}
    file.write_text(yaml.safe_dump(told), "utf-8")
    for words in (("check", "rules", str(RULES)), ("test", "rules", str(file))):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
