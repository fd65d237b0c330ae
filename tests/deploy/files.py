"""The files of deploy/ as data: what a Dockerfile, a unit or a proxy's configuration says."""

from __future__ import annotations

import re
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tests.support.server import ROOT

DEPLOY = ROOT / "deploy"


class Instruction(msgspec.Struct, frozen=True):
    """One instruction of a Dockerfile, and the stage that it belongs to."""

    stage: int
    word: str
    rest: str


def dockerfile() -> list[Instruction]:
    """Its instructions in order, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    joined = re.sub(r"\\\n\s*", "", text)
    found: list[Instruction] = []
    stage = -1
    for line in filter(None, joined.splitlines()):
        word, _, rest = line.strip().partition(" ")
        stage += word == "FROM"
        found.append(Instruction(stage, word, rest))
    return found


def image_environment() -> dict[str, str]:
    """What ENV sets in the image that is shipped."""
    pairs = [one for each in dockerfile() if each.word == "ENV" for one in each.rest.split()]
    return dict(pair.split("=", 1) for pair in pairs)


class Health(msgspec.Struct, forbid_unknown_fields=True):
    test: list[str]
    interval: str
    timeout: str
    retries: int


class Build(msgspec.Struct, forbid_unknown_fields=True):
    context: str
    dockerfile: str
    target: str = ""


class Condition(msgspec.Struct, forbid_unknown_fields=True):
    condition: str


class Container(msgspec.Struct, forbid_unknown_fields=True):
    """A service of compose.yaml: the words of the specification that we use, and no other."""

    image: str
    build: Build | None = None
    cap_drop: list[str] = []
    command: list[str] = []
    depends_on: dict[str, Condition] = {}
    environment: dict[str, str] = {}
    healthcheck: Health | None = None
    init: bool = False
    mem_limit: str = ""
    networks: list[str] = []
    pids_limit: int = 0
    ports: list[str] = []
    read_only: bool = False
    restart: str = ""
    secrets: list[str] = []
    security_opt: list[str] = []
    shm_size: str = ""
    stop_grace_period: str = ""
    tmpfs: list[str] = []
    user: str = ""
    volumes: list[str] = []


class SecretFile(msgspec.Struct, forbid_unknown_fields=True):
    file: str


class Network(msgspec.Struct, forbid_unknown_fields=True):
    internal: bool = False
    ipam: dict[str, list[dict[str, str]]] = {}


class Compose(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    services: dict[str, Container]
    secrets: dict[str, SecretFile]
    volumes: dict[str, dict[str, str]]
    networks: dict[str, Network]


def compose() -> Compose:
    """compose.yaml, strictly; raises msgspec.ValidationError for a word that it may not have."""
    told = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    named = {key: value for key, value in told.items() if not key.startswith("x-")}
    return msgspec.convert(named, Compose)


CUSTOM = ("alerts", "gateway", "monitoring")
"""Files of objects that are none of Kubernetes' own."""


def manifests() -> dict[str, Any]:
    """Kubernetes' own objects by kind, but for those of the backups."""
    found = (DEPLOY / "kubernetes").glob("*.yaml")
    files = (path for path in found if path.stem not in ("backup", "kustomization", *CUSTOM))
    return {each["kind"]: each for file in files for each in objects(file)}


def backups() -> dict[str, Any]:
    """Kubernetes' objects of the backups, by kind and name."""
    found = objects(DEPLOY / "kubernetes" / "backup.yaml")
    return {f"{each['kind']} {each['metadata']['name']}": each for each in found}


def objects(file: Path) -> list[Any]:
    """Every object of a manifest."""
    return list(yaml.safe_load_all(file.read_text("utf-8")))


class Unit(RawConfigParser):
    """A unit file; a setting that comes twice has two lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",), dict_type=_Many)
        self.read_string(path.read_text("utf-8"))

    def optionxform(self, optionstr: str) -> str:
        return optionstr


class _Many(dict[str, Any]):
    def __setitem__(self, key: str, value: Any) -> None:
        if isinstance(value, list) and key in self and isinstance(self[key], list):
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


def units() -> list[Path]:
    return sorted((DEPLOY / "systemd").glob("*.service"))
