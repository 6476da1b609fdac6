"""What the wiring diagrams say."""

TITLE = "City Unit on {board}"
NOTES = (
    "Every wire goes from a pin of the board, through its part, to a thick line: {lines}.",
    "Dots are joints. A number beside a pin counts along the edge as the maker does; "
    "otherwise the pin is found by what is printed beside it.",
)
LINES = {
    "GND": "black is ground (GND)",
    "3V3": "red is 3.3 V (3V3)",
    "VBUS": "orange is 5 V of USB (VBUS)",
    "5V": "orange is 5 V of USB (5V)",
}

# Parts.
AUCTION_BUTTON = "AUCTION button"
BUILD_BUTTON = "BUILD button"
SWITCH = "ON/OFF switch"
ON_OFF = "ON/OFF"
PASSIVE_BUZZER = "Piezo buzzer"
ACTIVE_BUZZER = "Active buzzer"
BUZZER_MODULE = "Active buzzer module"
LAMPS = ("AUCTION lamp", "Lamp 1", "Lamp 2", "Lamp 3", "STATION lamp")
STRIP = "Strip of 5 lamps"
CELLS = "2 AAA cells, or 3"
RAILS = {"GND": "ground", "3V3": "3.3 V", "VBUS": "5 V of USB", "5V": "5 V of USB"}
TRANSISTOR = "BC547"
FLAT_SIDE = "its flat side"

# What to watch for.
EITHER_WAY = "either way round"
PULL = "and 10 kΩ from the pin to {other}"
LONG_LEG = "long leg to the resistor"
SHORT_LEG = "short leg to the resistor"
SLIDE_LEGS = "middle leg and an outer one"
PASSIVE_HINT = "passive; {sign} to the resistor"
ACTIVE_HINT = "made for 3 V: + to 3V3\nmade for 5 V: + to {usb},\nthen on USB power only"
MODULE_HINT = "low level trigger; VCC to 3V3\n(on 5 V it is never silent)"
STRIP_HINT = "on USB power only: cells give {usb} nothing\nring of the 1N4001 towards the strip"
CELLS_HINT = "not needed on USB power\nswitch: middle leg and an outer one"
OTHER_EDGE = "The pin of the {end} line is on the other edge of the board."
PIN = "pin {number}"
OHMS = "{ohms} Ω"
