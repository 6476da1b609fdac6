"""The sign for the whole table, in each state of the unit."""

from sim.play import phrases, sign
from sim.play.sign import Sign
from tests.helpers.desk import Desk


class Evening(Desk):
    def __init__(self, program=0, is_on=True):
        super().__init__()
        self.unit = self.runner.unit
        self.unit.settings.choose(self.unit.settings.programs[program])
        self.runner.switch(is_on)

    def at(self, seconds, *taps) -> Sign:
        self.seconds = seconds
        self.runner.advance()
        for button in taps:
            self.runner.tap(button)
        return self.read()

    def read(self, seconds=False) -> Sign:
        return sign.of_unit(self.unit, self.runner.now, seconds)


def test_the_hour_from_on_to_off():
    assert Evening(is_on=False).read() == Sign("off", "OFF", "", ("O: slide the switch on",))
    evening = Evening()
    ready = evening.at(900)
    assert (ready.kind, ready.big, ready.under) == ("ready", "45:00", "left to play")
    assert ready.press == ("A: start an auction", "B: see what may be built")
    assert not ready.is_near and evening.at(3559.5).is_near
    over = evening.at(3600 + 720)
    assert (over.kind, over.big, over.under) == ("over", "THE HOUR IS OVER", "ended 12 min ago")
    assert evening.at(20_000).kind == "over"  # until it is switched off
    evening.runner.switch(False)
    assert evening.at(20_001).kind == "off"


def test_an_auction_keeps_its_end_a_secret_unless_asked():
    evening = Evening()
    evening.at(10, "auction")
    shown = evening.at(20)
    assert (shown.kind, shown.big) == ("auction", "AUCTION")
    assert not any(digit in shown.big + shown.under for digit in "0123456789")
    assert evening.read(seconds=True).big == "41"
    assert sign.heading(evening.read(seconds=True)) == "41 s auction"
    assert sign.heading(shown) == "AUCTION"
    warning = evening.at(57)
    assert (warning.kind, warning.big, warning.is_near) == ("warning", "LAST BIDS!", True)
    assert evening.at(61).big == "SOLD!"
    assert evening.at(70).kind == "ready"
    evening.at(80, "auction")
    assert evening.at(131).big == "SOLD!"
    evening.runner.switch(False)
    evening.runner.switch(True)
    assert evening.at(132).kind == "ready"  # that auction was in the previous game


def test_the_reason_of_a_refusal_is_shown_for_a_moment():
    assert set(phrases.REASONS) - set(sign.NOT_NOW) == {"ready"}  # only a command can cause it
    evening = Evening()
    evening.at(10, "auction")
    evening.at(20, "build")
    shown = evening.at(20.5)
    assert (shown.big, shown.under) == ("AUCTION", "Not now: an auction is running")
    assert shown.is_refused
    assert evening.at(24.1).under == "Bid until the light goes out"
    evening.at(59.5, "build")
    assert evening.at(59.8).is_refused
    sold = evening.at(61.2)  # another event hides the reason
    assert (sold.big, sold.under) == ("SOLD!", "to the highest bid")
    evening.at(70, "auction")
    evening.at(80)
    evening.runner.press("auction")
    stopped = evening.at(83)
    assert (stopped.kind, stopped.big) == ("cancelled", "STOPPED")
    assert evening.at(87).kind == "ready"


def test_a_permit_is_named_unless_the_game_has_none():
    evening = Evening()
    evening.at(10, "build")
    assert evening.at(10.2).kind == "drawing"
    shown = evening.at(13)
    assert (shown.kind, shown.big, shown.permit) == ("permit", "1 block", 0)
    assert evening.at(40).kind == "ready"
    timed = Evening(program=2)
    timed.at(10, "build")
    assert timed.at(10.5).under == "This game has no permits"
    world = Evening(program=3).at(5)
    assert (world.big, world.under) == ("READY", "no clock in this game")
    assert world.press == ("A: start an auction",)


def test_the_setup_shows_the_choice():
    evening = Evening(is_on=False)
    evening.runner.press("build")
    evening.runner.switch(True)
    evening.seconds = 0.1
    evening.runner.release("build")
    shown = evening.at(0.2)
    assert (shown.kind, shown.big, shown.under) == ("setup", "City", "which game?")
    assert shown.press == (str(sign.PRESS_NEXT), str(sign.PRESS_TAKE))
