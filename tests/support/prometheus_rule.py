"""The alerts as the Prometheus operator reads them: deploy/kubernetes/alerts.yaml, made from those
of deploy/prometheus.

``python -m tests.support.prometheus_rule`` writes it.
"""

from __future__ import annotations

from tests.support.server import ROOT

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"
PAGE = ROOT / "deploy" / "kubernetes" / "alerts.yaml"

HEAD = """# Made from deploy/prometheus/alerts.yaml by python -m tests.support.prometheus_rule.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: decklog
  labels: {app.kubernetes.io/name: decklog}
spec:
"""


def page() -> str:
    """Its whole text: the rules, below ``spec``."""
    lines = ALERTS.read_text("utf-8").splitlines()
    return HEAD + "".join(f"  {line}\n" if line else "\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
