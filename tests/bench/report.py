"""What every benchmark prints: machine, command, median, spread, ratio to its reference."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from statistics import median


class Report:
    """Figures by name, in the order in which they were first measured."""

    def __init__(self, title: str, unit: str, about: str) -> None:
        self._title = title
        self._unit = unit
        self._about = about
        self.figures: dict[str, list[float]] = {}

    def add(self, name: str, figure: float) -> None:
        self.figures.setdefault(name, []).append(figure)

    def first(self) -> str:
        """The name of the figure that was measured first."""
        return next(iter(self.figures))

    def show(self, reference: str = "") -> None:
        """Print all of it; ``reference`` names the figure that the others are put in ratio to."""
        print(f"{self._title} ({self._about})")
        print(f"machine  {machine()}")
        print(f"command  python -m {module_name()} {' '.join(sys.argv[1:])}".rstrip())
        base = median(self.figures[reference]) if reference else 0.0
        width = max(map(len, self.figures))
        for name, figures in self.figures.items():
            middle = median(figures)
            ratio = f"   {middle / base:6.2f} of the reference" if base else ""
            spread = f"[{min(figures):,.0f} to {max(figures):,.0f}]"
            print(
                f"{name:<{width}}  {middle:>12,.0f} {self._unit}  {spread} of {len(figures)}{ratio}"
            )


def module_name() -> str:
    """Of the command that runs, as ``python -m`` takes it."""
    spec = sys.modules["__main__"].__spec__
    return spec.name if spec else Path(sys.argv[0]).stem


def machine() -> str:
    """Processor, cores, system, Python."""
    python = f"Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, {python}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
