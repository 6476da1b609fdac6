"""What the wiring diagrams say."""

TITLE = "City Unit on {board}"
NOTES = (
    "Every wire goes from a pin of the board, through its part, to the black line: ground (GND).",
    "Dots are joints. A number beside a pin counts along the edge as the maker does; "
    "otherwise the pin is found by what is printed beside it.",
)

# Parts.
AUCTION_BUTTON = "AUCTION button"
BUILD_BUTTON = "BUILD button"
SWITCH = "ON/OFF switch"
ON_OFF = "ON/OFF"
BUZZERS = {"passive": "Passive buzzer", "active": "Active buzzer"}
LAMPS = ("AUCTION lamp", "Lamp 1", "Lamp 2", "Lamp 3", "STATION lamp")
STRIP = "Strip of 5 lamps"
CELLS = "2 or 3 AAA cells"
RAILS = {"GND": "ground", "3V3": "3.3 V"}

# What to watch for.
EITHER_WAY = "either way round"
PULL = "and 10 kΩ from the pin to {other}"
LONG_LEG = "long leg to the resistor"
SHORT_LEG = "short leg to the resistor"
BUZZER_HINTS = {
    "passive": "{sign} to the resistor",
    "active": "{sign} to the pin; 4 mA at most",
}
STRIP_HINT = "DIN here; its 5V to VBUS or 5V"
CELLS_HINT = "not needed on USB power"
OTHER_EDGE = "to a pin of the other edge"
PIN = "pin {number}"
OHMS = "{ohms} Ω"
