"""Evidence of other instruments about a unit: captures of its pins, recordings of its sound."""

from city_unit.facts import BUTTONS, LAMPS

# The pins of a unit that a capture may show.
BUZZER = "buzzer"
PRESSES = tuple(f"press-{button}" for button in BUTTONS)
NAMES = (*LAMPS, BUZZER, *PRESSES)
