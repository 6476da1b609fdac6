"""Guidance in the window: hints, tips, the focus, cards, help, the report, a newer version."""

from types import SimpleNamespace

import pygame
import pytest

from city_unit.desktop.errors import UserError
from city_unit.facts import AUCTION
from sim.engine.link_server import LinkServer, make_link
from sim.play import phrases, report
from sim.play.preferences import Preferences
from sim.play.update import Answer
from sim.window import controls, layout, panel, scene, snapshot, timeline
from sim.window.controls import TipTimer
from sim.window.loop import Window
from sim.window.snapshot import View


def hint(desk):
    return scene.notice(desk.view())


def test_a_tip_is_shown_for_a_while_and_a_change_of_state_hides_it():
    tips = TipTimer()
    tips.follow("off", "", 0.0)
    assert not tips.shows_tip(0.0)
    tips.at("help", 1.0)
    assert tips.shows_tip(6.9) and not tips.shows_tip(7.0)
    tips.at("help", 8.0)
    assert tips.shows_tip(8.0)
    tips.at("auction", 9.0)
    tips.follow("auction", "", 10.0)
    assert not tips.shows_tip(10.0)
    tips.at("auction", 10.5)  # a small movement
    assert not tips.shows_tip(10.5)
    tips.at("build", 11.0)
    assert tips.shows_tip(11.0)
    tabbing = TipTimer()
    tabbing.follow("ready", "", 0.0)
    tabbing.follow("ready", "build", 1.0)
    assert tabbing.shows_tip(6.0)
    tabbing.follow("drawing", "build", 6.5)
    assert not tabbing.shows_tip(6.5)


def test_the_setup_can_be_opened_with_the_mouse_and_shows_its_pages_and_choices(desk):
    desk.mouse("build")  # it is latched
    desk.mouse("switch")
    assert "program: City" in hint(desk) and str(phrases.LET_GO) in hint(desk)
    desk.mouse("build")
    hints = []
    for part in ("build", "build", "auction", "auction"):
        desk.mouse(part)
        hints.append(hint(desk).split(".")[0])
    assert hints == [
        "Choose the program: championship",
        "Choose the program: timed",
        "Choose the length: 60 min",
        "Choose the volume: 2 of 3",
    ]


def test_the_time_line_shows_the_coming_phase_and_for_a_while_a_refusal(desk):
    desk.controls.choose(1)
    desk.mouse("switch")
    assert "phase play 5:00" in [timeline.label(mark) for mark in desk.view().marks]
    desk.mouse("auction")
    desk.mouse("build")
    assert snapshot.next_tick(desk.view()) == 0.2
    for words in ("BUILD refused: an auction runs", "refused"):
        marks = desk.view().marks
        assert next(timeline.label(mark) for mark in marks if mark.kind == "refused") == words
        desk.wait(10)
    for still_there in (True, False):  # the time line reaches back ten minutes
        desk.wait(290)
        assert ("refused" in [mark.kind for mark in desk.view().marks]) is still_there
    assert snapshot.next_tick(desk.view()) == 1.0  # no mark is near


def test_after_the_hour_the_hint_follows_the_speed_and_replaces_a_warning(desk):
    desk.mouse("switch")
    assert scene.caption(desk.view()) == "City  1:00:00"  # seconds are rounded up
    desk.wait(3601)
    assert desk.view().is_over and scene.caption(desk.view()) == "City  0:00"
    assert hint(desk).startswith("The hour is over")
    desk.controls.say("Settings: volume must be 0, 1, 2 or 3", 15)
    desk.controls.do("faster")
    assert hint(desk).startswith("Not real time: 2 x.  The hour is over")


def test_tab_visits_each_control_and_a_key_presses_it_like_a_click(desk):
    seen = []
    for _ in range(9):
        desk.key(pygame.K_TAB, "\t")
        seen.append(desk.controls.focus)
    parts = ["switch", "auction", "build", "program", "language", "volume", "help", "trace"]
    assert seen == [*parts, ""]
    desk.key(pygame.K_TAB, "\t", shift=True)
    assert desk.controls.focus == "trace"
    desk.key(pygame.K_ESCAPE)
    assert desk.controls.focus == ""
    desk.key(pygame.K_TAB, "\t")
    desk.key(pygame.K_RETURN, "\r")
    assert desk.runner.unit.state == "ready"
    desk.key(pygame.K_TAB, "\t")
    desk.controls.key_down(pygame.K_SPACE, " ", False)
    desk.wait(0.1)
    assert desk.controls.held.pressed() == AUCTION
    desk.controls.held.up(pygame.K_SPACE)
    desk.wait(0.1)
    assert desk.controls.held.pressed() == 0
    assert desk.runner.unit.state == "auction"
    desk.controls.focus = "take offer"  # there is no offer any more
    shown = desk.view("take offer")
    assert (shown.focus, shown.hover) == ("", "")


def test_every_control_has_a_tip_and_an_outline(desk):
    pygame.font.init()
    desk.controls.do("engineer")
    plan = layout.arrange(900, 760, has_tools=True)
    bare = pygame.Surface((900, 760))
    assert "take offer" in scene.TIPS  # it is no stop without an offer
    for part in desk.controls.tab_stops():
        assert part in scene.TIPS
        outlined = bare.copy()
        scene.outline(outlined, plan, part, True)
        assert outlined.get_buffer().raw != bare.get_buffer().raw


def test_any_key_closes_the_introduction_and_w_opens_it_again(desk):
    desk.type("o")
    for key, typed in ((pygame.K_SPACE, " "), (pygame.K_RETURN, ""), (pygame.K_w, "w")):
        desk.type("w")
        assert desk.controls.panel == "tour"
        desk.key(key, typed)
        assert desk.controls.panel == ""
    assert desk.runner.unit.state == "ready"  # none of the keys pressed a button


def test_a_click_in_the_help_performs_the_action_of_its_row():
    pygame.font.init()
    plan = layout.arrange(900, 760)
    shown = View(panel="help", page_rows=panel.page_rows(plan))
    does = [panel.action_at(plan, shown, *box.middle) for box in panel.arrange(plan, shown)[2]]
    keys = {"W": "tour", "U": "update", "I": "report"}
    assert does == [keys.get(key, "help") for key, _ in panel.shown_rows(shown)]
    assert set(keys.values()) < set(does)


def test_a_report_is_shown_completely_before_it_is_saved(desk, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    (tmp_path / "game.jsonl").write_text("{" + "step " * 500 + "}\n\x1b[2J\0\n")
    pygame.font.init()
    plan = layout.arrange(900, 760)
    desk.controls.page_rows = panel.page_rows(plan)
    seen = []
    desk.type("i")
    while desk.controls.panel == "report":
        desk.key(pygame.K_UP)  # with an open panel, arrows do not change the volume
        shown = desk.view()
        panel.draw(pygame.Surface((900, 760)), plan, shown)
        first, *_rest = panel.arrange(plan, shown)[2]
        does = panel.action_at(plan, shown, *first.middle)
        assert does == ("report" if seen else "save report")
        seen += [words for _key, words in panel.shown_rows(shown)][0 if seen else 1 :]
        assert list(tmp_path.glob("city-unit-report*")) == []
        desk.type("i")
    desk.controls.panel, desk.controls.report_rows = "report", ("",) * desk.controls.page_rows
    assert desk.controls.page_count() == 2  # the first row is the command to save
    desk.controls.do("close")
    for name in (f"city-unit-report{number}.txt" for number in ("", "-2", "-3")):
        desk.type("i")
        desk.key(pygame.K_RETURN)
        assert str(tmp_path / name) in desk.controls.message()
        assert (tmp_path / name).read_text().startswith("City Unit ")
    assert desk.runner.unit.settings.volume == 2
    whole = (tmp_path / name).read_text()
    assert "".join(seen) == "".join(report.rows(whole)) and "\x1b" not in "".join(seen)

    def refuse(_text):
        raise UserError("cannot write it: no space left on device")

    monkeypatch.setattr(report, "save", refuse)
    desk.type("i")
    desk.key(pygame.K_RETURN)
    assert desk.controls.message() == "cannot write it: no space left on device"


@pytest.mark.parametrize("is_newer", [True, False])
def test_the_check_for_a_newer_version_runs_only_on_request(desk, monkeypatch, is_newer):
    answers, opened = [None, Answer("it is so", is_newer, address="https://x/y")], []
    monkeypatch.setattr(controls, "Check", lambda: SimpleNamespace(answer=lambda: answers.pop(0)))
    monkeypatch.setattr(controls.webbrowser, "open", opened.append)
    desk.controls.show_update()
    assert len(answers) == 2  # nobody has requested it
    desk.type("u")
    for sentence in (str(controls.CHECKING), "it is so"):
        desk.controls.show_update()
        assert desk.controls.message() == sentence
    desk.controls.show_update()
    assert opened == (["https://x/y"] if is_newer else [])


def test_the_window_shows_the_trace_and_the_result_of_the_check(desk, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(pygame, "quit", lambda: None)  # keeps the fonts of other tests
    answer = Answer("it is so")
    monkeypatch.setattr(controls, "Check", lambda: SimpleNamespace(answer=lambda: answer))
    drawn = []
    monkeypatch.setattr(
        scene, "draw", lambda _target, plan, view: drawn.append((plan.strip.height, view.sentence))
    )
    presses = [pygame.Event(pygame.KEYDOWN, key=ord(key), unicode=key, mod=0) for key in "tu"]
    presses += [pygame.Event(pygame.MOUSEMOTION, pos=(1, 1))] * 3 + [pygame.Event(pygame.QUIT)]
    offers = SimpleNamespace(
        turn=lambda: pygame.event.post(presses.pop(0)),  # one per turn
        next_warning=lambda: "",
        sentence=lambda: "",
        sign=lambda: None,
    )
    window = Window(desk.runner, Preferences(toured=True), offers)
    try:
        window.run(LinkServer(make_link(desk.runner.unit, "unit"), [], "unit"))
    finally:
        window.close()
    assert drawn[-1][1] == "it is so"
    assert drawn[-1][0] > drawn[0][0]  # there is room for the trace
