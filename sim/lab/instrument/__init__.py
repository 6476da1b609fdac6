"""External evidence about a unit: logic captures of its pins and recordings of its sound."""

from city_unit.facts import BUTTONS, LAMPS

# The unit's pins that can appear in a capture.
BUZZER = "buzzer"
PRESSES = tuple(f"press-{button}" for button in BUTTONS)
NAMES = (*LAMPS, BUZZER, *PRESSES)
