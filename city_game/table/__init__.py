"""The table: the game in a window, and its unit, reached only through the link.

`city_game.evening` plays game after game in one `Window`. The `SetupScreen` asks who plays.
A game has a `Session`, which connects rules, unit, bots and people; `Light`, `Hour` and
`Auctioneer` are its parts. `Session.table` states the facts, and `view` makes what a reader sees of
them, here and on telephones. A `Screen` adds the choices in progress and makes the `View` that the
painters draw, each with (pen, layout, view): `scene`, `board`, `cards` and `pages`.

A press of AUCTION goes from `Window.play` to `Screen.handle`, `Held.hold`, `Session.press` and
`TableUnit.press`. The event of the unit arrives in `Session.step`; `Light` makes it an action of
the rules, `Session.do` performs and saves that, and `Screen.update` remakes the view.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
