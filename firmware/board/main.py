"""What a board runs as soon as it has power: the unit, until somebody stops it."""

from firmware.board.body import run

run()
