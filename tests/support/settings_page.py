"""The page of all settings, deploy/SETTINGS.md, made from what the program itself says of them.

``python -m tests.support.settings_page`` writes it.
"""

from __future__ import annotations

from service.ops.checking import shown_value
from service.settings import SECRETS, Settings, about, variable
from tests.support.server import ROOT

PAGE = ROOT / "deploy" / "SETTINGS.md"

HEAD = """# Settings

Made from `service/settings.py` by `python -m tests.support.settings_page`; `decklog config` shows
the same of a service as it is set here, with where each value came from.

A setting is an option of `decklog serve` (where there is one), else a variable of the environment,
else a line of a TOML file (`--config FILE` or `DECKLOG_CONFIG`), whose keys are the names in lower
case without `DECKLOG_`:

```toml
rate_limit = 600
proxies = "10.0.0.0/8"
key_file = "/etc/decklog/key"
```

What is misspelt, cannot be read or is out of its range is refused, all of it at once. Secrets may
lie in files of their own: {secrets} name them. A file of settings that holds one must be nobody
else's to read. Settings marked *live* are read again at a SIGHUP (`systemctl reload`), the rest at
a start.

| setting | default | range | |
|---|---|---|---|
"""


def page() -> str:
    """Its whole text."""
    default = Settings()
    secrets = ", ".join(f"`{variable(name)}_FILE`" for name in SECRETS)
    rows = []
    for name, told in about().items():
        value = shown_value(name, getattr(default, name))
        live = " *Live.*" if told.live else ""
        shown = f"`{value}`" if value else ""
        rows.append(f"| `{variable(name)}` | {shown} | {told.range} | {told.help}.{live} |\n")
    return HEAD.replace("{secrets}", secrets) + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
