"""The files of deploy/ are well-formed, careful, and agree with each other and with the service."""

from __future__ import annotations

import ipaddress
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import msgspec
import pytest
import yaml
from litestar.testing import TestClient

from service.app import create_app
from service.http.registry import operations
from service.ops.metrics import Metrics
from service.ops.safety import findings
from service.problems import BY_CODE, Problem, page_of, status_of
from service.settings import Settings, from_environment
from tests.deploy.files import (
    DEPLOY,
    Unit,
    backups,
    compose,
    dockerfile,
    image_environment,
    manifests,
    units,
)
from tests.deploy.test_wheel import wheels
from tests.service.cli.conftest import spawn
from tests.support.pennant import GAME
from tests.support.server import ROOT, running

WORKERS = [name for name in compose().services if name.startswith("worker-")]
PROXY = (DEPLOY / "nginx.conf").read_text("utf-8")
GETS = {operation.path for operation in operations() if operation.method == "GET"}


def starts(environ: dict[str, str]) -> Settings:
    """The settings, which are safe."""
    settings = from_environment(environ)
    assert findings(settings, environ) == []
    return settings


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The secrets that make-secrets.sh makes; asked twice, it keeps them."""
    folder = tmp_path_factory.mktemp("deploy") / "secrets"
    line = ["sh", str(DEPLOY / "make-secrets.sh"), str(folder)]
    told = [subprocess.run(line, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [each.stdout.split()[1::2] for each in told] == [["made"] * 4, ["kept"] * 4]
    assert folder.stat().st_mode & 0o077 == 0
    return folder


# The image


def test_hadolint_finds_nothing() -> None:
    program = Path(sys.executable).parent / "hadolint"
    done = subprocess.run(
        [str(program), "--no-color", str(DEPLOY / "Dockerfile")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_image_holds_what_is_there_and_runs_as_nobody_much() -> None:
    found = dockerfile()
    last = max(each.stage for each in found)
    copied = [each.rest.split() for each in found if each.word == "COPY" and each.stage < last]
    sources = [name for words in copied for name in words[:-1] if "--from" not in words[0]]
    assert {"domain", "service", "projections", "requirements/serve.txt"} <= set(sources)
    admitted = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    for name in sources:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in admitted
    users = [each.rest for each in found if each.word == "USER" and each.stage == last]
    assert users
    assert all(user.split(":")[0].isdigit() and int(user.split(":")[0]) > 0 for user in users)
    assert any("--require-hashes" in each.rest for each in found if each.word == "RUN")
    runs = [each.rest for each in found if each.word == "RUN" and each.stage == last]
    assert any("bubblewrap" in each for each in runs), "rules that came in a file have their wall"


def test_the_image_is_built_from_what_it_copies(tmp_path: Path) -> None:
    """All that the wheel is made of, and nothing that has to be fetched beside it."""
    tree, made = tmp_path / "tree", tmp_path / "made"
    made.mkdir()
    for each in dockerfile():
        if each.stage == 0 and each.word == "COPY":
            for name in each.rest.split()[:-1]:
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).symlink_to(ROOT / name)
    wheels().stage(tree, made)
    packed = made / "decklog" / "openapi"
    for folder, pattern in (("rulesets", "*.json"), ("guide", "*.md"), ("spec", "*.md")):
        there = {path.name for path in (ROOT / "openapi" / folder).glob(pattern)}
        assert there == {path.name for path in (packed / folder).glob(pattern)} != set()


def test_the_images_settings_are_safe() -> None:
    settings = starts({k: v for k, v in image_environment().items() if k.startswith("DECKLOG_")})
    assert (settings.host, settings.log) == ("0.0.0.0", "json")


def test_the_images_health_check_tells_a_ready_server_from_none(tmp_path: Path) -> None:
    (check,) = (each.rest for each in dockerfile() if each.word == "HEALTHCHECK")
    line = json.loads(check.partition(" CMD ")[2])

    def asked(port: str) -> int:
        program = [sys.executable, *(word.replace(":8000/", f":{port}/") for word in line[1:])]
        return subprocess.run(program, capture_output=True, check=False).returncode

    with running(tmp_path, "pennant", chain_length=64) as server:
        port = server.url.rpartition(":")[2]
        assert asked(port) == 0
        server.database.rename(server.database.with_name("away"))
        assert asked(port) != 0
        server.database.with_name("away").rename(server.database)
    assert asked(port) != 0


# Compose


def test_the_workers_are_locked_in() -> None:
    found = compose()
    assert len(WORKERS) == 2
    for name in WORKERS:
        worker = found.services[name]
        assert (worker.read_only, worker.cap_drop, worker.networks) == (True, ["ALL"], ["inside"])
        assert worker.security_opt == ["no-new-privileges:true"]
        assert not worker.ports, "only the proxy is reached from outside"
    assert found.networks["inside"].internal
    for service in found.services.values():
        assert set(service.secrets) <= set(found.secrets)
        assert set(service.networks) <= set(found.networks)
        assert set(service.depends_on) <= set(found.services)
        assert re.fullmatch(r"[a-z-]+:[\w.-]+", service.image), "a version, not whatever is latest"
        assert service.image.rpartition(":")[2] != "latest"
        for volume in service.volumes:
            source = volume.split(":")[0]
            assert source in found.volumes or (DEPLOY / source).exists() or source == "./tls"


def test_the_workers_settings_are_safe(secrets: Path) -> None:
    found = compose()
    for name in WORKERS:
        told = {
            key: value.replace("/run/secrets", str(secrets))
            for key, value in found.services[name].environment.items()
        }
        told["DECKLOG_PUBLIC_URL"] = "https://localhost"
        settings = starts({**image_environment_of_the_service(), **told})
        assert settings.store.startswith("postgresql://decklog:")
        assert "@postgres/" in settings.store
        assert len(settings.key) == 64
        grace = int(found.services[name].stop_grace_period.removesuffix("s"))
        assert grace > settings.drain_seconds + settings.stop_seconds
    assert {Path(each.file).name for each in found.secrets.values()} == {
        path.name for path in secrets.iterdir()
    }


def image_environment_of_the_service() -> dict[str, str]:
    return {k: v for k, v in image_environment().items() if k.startswith("DECKLOG_")}


def test_the_backups_container_is_locked_in_as_well() -> None:
    found = compose().services["backup"]
    worker = compose().services[WORKERS[0]]
    for word in ("cap_drop", "security_opt", "read_only", "networks", "mem_limit", "ports"):
        assert getattr(found, word) == getattr(worker, word)
    assert found.build is not None
    stages = [each.rest.partition(" AS ")[2] for each in dockerfile() if each.word == "FROM"]
    assert found.build.target in stages
    assert {name + ":ro" for name in found.volumes} == set(worker.volumes)
    folder = found.volumes[0].partition(":")[2]
    assert worker.environment["DECKLOG_BACKUPS"] == folder
    assert f"${{FOLDER:-{folder}}}" in (DEPLOY / "backups.sh").read_text("utf-8")


# The proxy


def test_the_proxy_knows_the_workers_and_they_believe_it() -> None:
    servers = re.findall(r"server (\S+):(\d+) max_fails", PROXY)
    assert [name for name, _ in servers] == WORKERS
    assert {port for _, port in servers} == {image_environment()["DECKLOG_PORT"]}
    told = compose().services[WORKERS[0]].environment["DECKLOG_PROXIES"]
    (subnet,) = compose().networks["inside"].ipam["config"]
    assert ipaddress.ip_network(told) == ipaddress.ip_network(subnet["subnet"])
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in PROXY
    assert "$proxy_add_x_forwarded_for" not in PROXY


def test_the_proxy_lets_streams_flow() -> None:
    ((pattern, body),) = re.findall(r"location ~ (\S+) \{(.*?)\}", PROXY, re.DOTALL)
    streamed = {o.path for o in operations() if any("event-stream" in m for m in o.media_types)}
    game = "0" * 32
    matched = {path for path in GETS if re.search(pattern, path.replace("{game}", game))}
    assert matched == streamed
    for word in ("proxy_buffering off;", "gzip off;", "proxy_cache off;"):
        assert word in body
    waits = re.search(r"proxy_read_timeout (\d+)([sh]);", body)
    assert waits
    assert int(waits[1]) * {"s": 1, "h": 3600}[waits[2]] > 4 * Settings().stream_ping


def test_it_is_the_service_that_refuses_a_large_body() -> None:
    size = re.search(r"client_max_body_size (\d+)m;", PROXY)
    assert size
    assert Settings().body_limit < int(size[1]) << 20 <= 1 << 22


def test_what_the_proxy_refuses_is_a_problem_of_the_services() -> None:
    found = re.findall(r"return (\d+) '(\{.*\})';", PROXY)
    assert len(found) == 2
    for status, body in found:
        problem = msgspec.json.decode(body, type=Problem)
        assert (problem.status, status_of(problem.code)) == (int(status), int(status))
        assert problem.title == BY_CODE[problem.code].title
        assert problem.type == page_of(problem.code)


# Units


HARD = (
    "Ambient", "Capability", "Device", "Lock", "MemoryDeny", "NoNew", "PrivateDevices",
    "PrivateTmp", "Proc", "Protect", "RemoveIPC", "Restrict", "SystemCall",
)  # fmt: skip
"""How what takes rights from a unit begins; Restart begins otherwise."""


@pytest.mark.parametrize("path", units(), ids=lambda path: path.name)
def test_a_unit_has_no_more_rights_than_it_needs(path: Path) -> None:
    service = Unit(path)["Service"]
    assert service["User"] == "decklog"
    assert service["UMask"] == "0077"
    assert service["CapabilityBoundingSet"] == ""
    best = Unit(DEPLOY / "systemd" / "decklog.service")["Service"]
    hard = [word for word in best if word.startswith(HARD)]
    assert len(hard) > 20
    own = "RestrictAddressFamilies"  # none has more of them
    assert {word: service[word] for word in hard if word != own} == {
        word: best[word] for word in hard if word != own
    }
    assert set(service[own].split()) <= set(best[own].split())
    if "serve" not in service["ExecStart"]:
        assert service["PrivateNetwork"] == "yes"
    else:
        assert service["ExecStartPre"].endswith("decklog serve --check")
        assert service["ExecReload"] == "/bin/kill -HUP $MAINPID"


@pytest.mark.parametrize("path", units(), ids=lambda path: path.name)
def test_a_unit_calls_what_there_is(path: Path) -> None:
    """Its command and the options of it are those of the program."""
    program, *words = Unit(path)["Service"]["ExecStart"].split()
    options = {word for word in words if word.startswith("--")}
    if program.endswith("/python"):
        _, module, *rest = words
        called = spawn(rest[0], "--help", program=module.removeprefix("decklog."))
    else:
        names = [word for word in words if word.isalpha()]
        called = spawn(*names, "--help")
    assert called.code == 0, called
    assert options <= set(re.findall(r"--[a-z-]+", called.out))


@pytest.mark.parametrize("name", ["decklog.service", "decklog@.service"])
def test_a_units_settings_are_safe(name: str, secrets: Path) -> None:
    service = Unit(DEPLOY / "systemd" / name)["Service"]
    told = dict(pair.split("=", 1) for pair in service["Environment"].split())
    places = {"%i": "8001", "%S": "state", "%d/key": "decklog_key", "%d/store": "decklog_store"}
    for sign, value in places.items():
        told = {k: v.replace(sign, value) for k, v in told.items()}
    told = {k: str(secrets / v) if k.endswith("_FILE") else v for k, v in told.items()}
    settings = starts(told)
    grace = int(service["TimeoutStopSec"])
    assert grace > settings.drain_seconds + settings.stop_seconds
    given = set(re.findall(r"^(\w+):", service["LoadCredential"], re.MULTILINE))
    assert given == set(re.findall(r"%d/(\w+)", service["Environment"]))


# Kubernetes


@pytest.mark.parametrize("kind", manifests())
def test_a_manifest_is_valid(kind: str) -> None:
    version = kubernetes_validate.latest_version()
    kubernetes_validate.validate(manifests()[kind], version, strict=True)


def test_the_pods_are_locked_in_and_roll_over() -> None:
    told = manifests()
    spec = told["Deployment"]["spec"]
    pod = spec["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert spec["replicas"] == 2 > told["PodDisruptionBudget"]["spec"]["minAvailable"]
    assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    probes = {name: container[name]["httpGet"]["path"] for name in container if "Probe" in name}
    assert set(probes.values()) <= GETS
    assert probes["livenessProbe"] == "/healthz"
    assert probes["readinessProbe"] == probes["startupProbe"] == "/readyz"
    names = {each["metadata"]["name"] for kind, each in told.items() if kind != "Job"}
    assert names == {"decklog"}


def test_the_migration_is_a_job_of_the_same_image_with_the_same_secrets() -> None:
    told = manifests()
    (worker,) = told["Deployment"]["spec"]["template"]["spec"]["containers"]
    pod = told["Job"]["spec"]["template"]["spec"]
    (migrates,) = pod["containers"]
    for name in ("image", "securityContext", "volumeMounts"):
        assert migrates[name] == worker[name]
    assert pod["securityContext"]["runAsNonRoot"]
    assert migrates["args"] == ["store", "migrate"]
    assert {each["name"] for each in migrates["env"]} <= {each["name"] for each in worker["env"]}
    done = spawn(*migrates["args"], "--help")
    assert (done.code, "--dry-run" in done.out) == (0, True)
    # It is no worker: neither the Service nor the disruption budget may take it for one.
    labels = told["Job"]["spec"]["template"]["metadata"]["labels"]
    assert labels.items() & told["Service"]["spec"]["selector"].items() == set()


@pytest.mark.parametrize("name", backups())
def test_the_backups_are_valid(name: str) -> None:
    version = kubernetes_validate.latest_version()
    kubernetes_validate.validate(backups()[name], version, strict=True)


@pytest.mark.parametrize("name", ["backup", "drill"])
def test_a_backup_is_locked_in_and_no_worker(name: str) -> None:
    told = backups()[f"CronJob decklog-{name}"]
    template = told["spec"]["jobTemplate"]["spec"]["template"]
    pod, job = template["spec"], manifests()["Job"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    for word in ("securityContext", "automountServiceAccountToken", "enableServiceLinks"):
        assert pod[word] == job[word]
    assert container["securityContext"] == job["containers"][0]["securityContext"]
    labels = template["metadata"]["labels"]
    assert labels.items() & manifests()["Service"]["spec"]["selector"].items() == set()
    assert told["spec"]["concurrencyPolicy"] == "Forbid"
    (claim,) = [each["persistentVolumeClaim"]["claimName"] for each in pod["volumes"]
                if "persistentVolumeClaim" in each]  # fmt: skip
    assert f"PersistentVolumeClaim {claim}" in backups()


def test_the_pods_settings_are_safe(secrets: Path) -> None:
    pod = manifests()["Deployment"]["spec"]["template"]["spec"]
    assert pod["enableServiceLinks"] is False
    told = {each["name"]: each["value"] for each in pod["containers"][0]["env"]}
    for name, file in (("KEY", "decklog_key"), ("STORE", "decklog_store")):
        told[f"DECKLOG_{name}_FILE"] = str(secrets / file)
    settings = starts({**image_environment_of_the_service(), **told})
    assert settings.drain_seconds > 3 * 2, "longer than the probes take to notice"
    assert pod["terminationGracePeriodSeconds"] > settings.drain_seconds + settings.stop_seconds


# Dashboards and alerts


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What a worker with everything counts; a label's values stand for themselves."""
    folder = tmp_path_factory.mktemp("names")
    settings = Settings(database=folder / "x.sqlite", redis="redis://127.0.0.1:9")
    app = create_app(settings, {"pennant": GAME})
    metrics: Metrics = app.state.http.metrics
    with TestClient(app):
        return counted(metrics)


def counted(metrics: Metrics) -> set[str]:
    """The names of all series of an open desk."""
    found = {sample.name for family in metrics.registry.collect() for sample in family.samples}
    for family in metrics.registry.collect():
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
        found |= {family.name + end for end in ends.get(family.type, ("",))}
    return found


def queries() -> dict[str, str]:
    """Every query of the dashboard and of the alerts, by its title."""
    board = json.loads((DEPLOY / "grafana" / "decklog.json").read_text("utf-8"))
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8"))
    found = {
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in board["panels"]
        for target in panel["targets"]
    }
    found |= {
        rule["alert"]: rule["expr"]
        for group in rules["groups"]
        for rule in group["rules"]
        if "alert" in rule
    }
    return found


@pytest.mark.parametrize("title", queries())
def test_a_query_asks_for_what_is_counted(title: str, names: set[str]) -> None:
    query = queries()[title]
    asked = set(re.findall(r"\b(?:decklog|process)_\w+", query))
    assert asked or re.search(r"\bdecklog:\w+:ratio_rate", query)
    assert asked <= names
    routes = set(re.findall(r'route="([^"]+)"', query))
    assert routes <= {operation.path for operation in operations()}
    assert query.count("(") == query.count(")")


def test_what_is_counted_is_shown(names: set[str]) -> None:
    text = "\n".join(queries().values())
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in names if "decklog" in name}
    assert {name for name in families if name not in text} == set()


def test_every_alert_says_what_to_do() -> None:
    told: Any = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8"))
    for rule in (r for group in told["groups"] for r in group["rules"] if "alert" in r):
        assert rule["for"]
        assert set(rule["annotations"]) == {"summary", "action", "runbook"}
        assert rule["labels"]["severity"] in ("info", "warning", "critical")
