"""The kustomization names all there is, and what is made of something else is what that says."""

from __future__ import annotations

from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from tests.deploy.files import CUSTOM, DEPLOY, compose, manifests, objects
from tests.support.prometheus_rule import ALERTS, PAGE, page

FOLDER = DEPLOY / "kubernetes"
BY_HAND = {"migrate.yaml"}


def kustomization() -> Any:
    return yaml.safe_load((FOLDER / "kustomization.yaml").read_text("utf-8"))


def everything() -> list[Any]:
    return [each for name in kustomization()["resources"] for each in objects(FOLDER / name)]


def test_it_names_every_file_but_those_that_are_applied_by_hand() -> None:
    there = {path.name for path in FOLDER.glob("*.yaml")} - BY_HAND - {"kustomization.yaml"}
    assert set(kustomization()["resources"]) == there
    images = {each["name"] for each in kustomization()["images"]}
    used = set()
    for each in everything():
        text = yaml.safe_dump(each)
        used |= {line.split()[-1].partition(":")[0] for line in text.splitlines()
                 if "image:" in line}  # fmt: skip
    assert used == images


def test_no_two_objects_have_one_name() -> None:
    names = [(each["kind"], each["metadata"]["name"]) for each in everything()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["autoscaling.yaml", "network.yaml"])
def test_what_is_kubernetes_own_is_valid(name: str) -> None:
    for each in objects(FOLDER / name):
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)


def test_the_operators_alerts_are_the_alerts() -> None:
    assert PAGE.read_text("utf-8") == page(), "make remake"
    (rule,) = objects(PAGE)
    assert rule["kind"] == "PrometheusRule"
    assert rule["spec"] == yaml.safe_load(ALERTS.read_text("utf-8"))


def test_what_is_not_kubernetes_own_finds_the_pods() -> None:
    custom = {each["kind"]: each for name in CUSTOM for each in objects(FOLDER / f"{name}.yaml")}
    deployment, service = manifests()["Deployment"], manifests()["Service"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    monitor, route = custom["PodMonitor"]["spec"], custom["HTTPRoute"]["spec"]
    assert monitor["selector"]["matchLabels"].items() <= labels.items()
    ports = {
        each["name"] for each in deployment["spec"]["template"]["spec"]["containers"][0]["ports"]
    }
    assert {each["port"] for each in monitor["podMetricsEndpoints"]} <= ports
    hidden, shown = route["rules"]
    assert hidden["matches"][0]["path"]["value"] == "/metrics"
    assert "backendRefs" not in hidden
    (backend,) = shown["backendRefs"]
    assert backend["name"] == service["metadata"]["name"]
    assert backend["port"] in {each["port"] for each in service["spec"]["ports"]}
    assert shown["timeouts"]["request"] == "0s", "a stream is not cut"


def test_nobody_but_the_gateway_and_prometheus_speaks_to_a_worker() -> None:
    (rule,) = manifests()["NetworkPolicy"]["spec"]["ingress"]
    spaces = [each["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]
              for each in rule["from"]]  # fmt: skip
    (gateway,) = objects(FOLDER / "gateway.yaml")
    assert spaces == [gateway["spec"]["parentRefs"][0]["namespace"], "monitoring"]
    selector = manifests()["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]
    labels = manifests()["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert selector.items() <= labels.items()


def test_the_autoscaler_and_no_manifest_says_how_many() -> None:
    scaler = manifests()["HorizontalPodAutoscaler"]["spec"]
    assert scaler["scaleTargetRef"]["name"] == manifests()["Deployment"]["metadata"]["name"]
    assert scaler["minReplicas"] > manifests()["PodDisruptionBudget"]["spec"]["minAvailable"]
    (patch,) = kustomization()["patches"]
    assert patch["target"] == {"kind": "Deployment", "name": "decklog"}
    assert yaml.safe_load(patch["patch"]) == [{"op": "remove", "path": "/spec/replicas"}]


def test_compose_has_the_images_of_the_same_names() -> None:
    told = {each["name"] for each in kustomization()["images"]}
    assert {each.image.partition(":")[0] for each in compose().services.values()} > told
