"""The front of a release folder: a page that says what each file is for, sums, and its contents.

The list of contents is a CycloneDX 1.5 file, as tools that look for known faults read it.
"""

import hashlib
import html
import json
import uuid
from importlib import metadata
from pathlib import Path

from city_unit.facts import VERSION

SUMS = "SHA256SUMS"
SBOM = "sbom.cdx.json"
PAGE = "index.html"
# Programs of others that lie in this repository, with the folder in which each lies.
VENDORED = (
    ("micropython", "1.27", "MIT", "sim/web/vendor"),
    ("esptool-js", "0.7", "Apache-2.0", "sim/web/vendor"),
    ("pico-bootrom", "b1", "BSD-3-Clause", "firmware/chip"),
)
HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>City Unit {version}</title>
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem }}
td {{ padding: .4rem 1rem .4rem 0; vertical-align: top }} code {{ overflow-wrap: anywhere }}
</style>
<h1>City Unit {version}</h1>
<p>The electronic unit of the board game Monopoly City. Each file, and its use:</p>
<table>
"""
FOOT = """</table>
<p>To verify a file: <code>sha256sum --check --ignore-missing SHA256SUMS</code>, and, for one
from GitHub, <code>gh attestation verify FILE --repo OWNER/REPOSITORY</code>.</p>
"""


def sums(folder: Path) -> str:
    """Return the checksum of each file of a release folder but the sums, as for sha256sum."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    rows = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in paths
    ]
    return "".join(rows)


def page(folder: Path, uses: dict[str, str], not_made: dict[str, str]) -> str:
    """Return the page of a release folder.

    uses      the use of each file or folder, by its name in the release folder
    not_made  the reason for each part that this machine could not make
    """
    rows = [_row(folder / name, name, use) for name, use in uses.items()]
    missing = [
        f"<li>{html.escape(part)}: {html.escape(reason)}" for part, reason in not_made.items()
    ]
    apart = ["<p>Not in this folder:</p><ul>", *missing, "</ul>\n"] if missing else []
    return "".join([HEAD.format(version=VERSION), *rows, FOOT, *apart])


def _row(path: Path, name: str, use: str) -> str:
    size = "" if path.is_dir() else f"{path.stat().st_size / 1e6:.1f} MB"
    shown = f"{name}/" if path.is_dir() else name
    target = f"{name}/index.html" if (path / "index.html").is_file() else shown
    link = f'<a href="{html.escape(target)}">{html.escape(shown)}</a>'
    return f"<tr><td><code>{link}</code><td>{html.escape(use)}<td>{size}\n"


def bill_of_materials(packages: list[str], epoch: int) -> str:
    """Return the CycloneDX file: us, the installed packages named, and the programs of others."""
    components: list[dict[str, object]] = []
    for name in sorted(set(packages), key=str.lower):
        about, version = metadata.metadata(name).json, metadata.version(name)
        licence = str(about.get("license_expression") or about.get("license") or "")
        known = licence if 0 < len(licence) < 60 else "see the package"
        components.append(
            {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:pypi/{name.lower()}@{version}",
                "licenses": [{"license": {"name": known}}],
            }
        )
    components += [
        {
            "type": "library",
            "name": name,
            "version": version,
            "licenses": [{"license": {"id": licence}}],
            "properties": [{"name": "path", "value": folder}],
        }
        for name, version, licence, folder in VENDORED
    ]
    stamp = f"{VERSION} {epoch} {json.dumps(components, sort_keys=True)}"
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, stamp)}",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "city-unit", "version": VERSION},
        },
        "components": components,
    }
    return json.dumps(made, indent=1) + "\n"
