"""A published page shows its own address and the downloads; a report is seen before it is saved."""

from pathlib import Path

import pytest

from city_unit.facts import VERSION
from sim.web import bundle
from tests.sim.web.conftest import opened, served
from tests.sim.web.page.doing import switch_on

pytestmark = [pytest.mark.real_time]

HOME = bundle.Home(
    "https://somebody.example/city-unit/", "https://forge.example/o/r/releases/latest"
)


def test_a_published_page_leads_to_itself_and_to_the_downloads(people):
    with served(bundle.files(HOME)) as server:
        page = opened(people(), f"http://127.0.0.1:{server.port}/")
        page.locator("#help-button").click()
        page.get_by_role("link", name=HOME.address).wait_for()
        shown = page.locator(".home img").evaluate(
            "(code) => [code.complete, code.naturalWidth > 0]"
        )
        assert shown == [True, True]
        targets = page.locator("#help .links a").evaluate_all("(all) => all.map((a) => a.href)")
    of_downloads = [target for target in targets if target.startswith(HOME.downloads)]
    names = [target.rpartition("/")[2] for target in of_downloads]
    assert names[:3] == [
        f"city-unit-{VERSION}-linux-x86_64.tar.gz",
        f"city-unit-{VERSION}-windows-amd64.zip",
        f"city-unit-{VERSION}-macos-arm64.zip",
    ]
    assert of_downloads[3] == HOME.downloads


def test_a_page_without_an_address_shows_none(files):
    assert b"ADDRESS" not in files["index.html"]
    assert "address.svg" not in files


def test_a_report_is_shown_before_it_is_saved(people, site):
    page = opened(people(), site)
    switch_on(page)
    page.locator("#help-button").click()
    page.locator("#report-button").click()
    text = page.locator("#report-text").input_value()
    assert text.startswith(f"City Unit {VERSION}\n")
    assert '"journal":[[' in text
    with page.expect_download() as saving:
        page.locator("#report-save").click()
    assert saving.value.suggested_filename == "city-unit-report.txt"
    assert Path(saving.value.path()).read_text(encoding="utf-8") == f"{text}\n"
