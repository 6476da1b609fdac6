"""The pin labels along the two edges of each board, from top to bottom.

Sources: the pinout of the Raspberry Pi Pico family; Espressif's user guides of
ESP32-DevKitC V4, ESP32-S3-DevKitC-1 and ESP32-C3-DevKitM-1.
"""

from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy, lazy


class Header(NamedTuple):
    """The edges of a board.

    about        the boards it applies to, and a caution
    left, right  labels from top to bottom; a GPIO's label is `prefix` and its number
    usb          the end with the USB socket, "top" or "bottom"
    supply       the label of the pin for battery cells; "" if they cannot feed the board well
    usb_power    the label of the pin with the 5 V of USB, dead on cells
    numbered     whether the manufacturer numbers the pins 1, 2, ... down the left edge and up
                 the right one
    """

    about: Lazy
    left: list[str]
    right: list[str]
    prefix: str = ""
    usb: str = "bottom"
    supply: str = ""
    numbered: bool = False
    usb_power: str = "5V"

    def place(self, label: str) -> tuple[str, int]:
        """Return the side and the row, counted from 0 at the top, of the first pin with `label`."""
        for side, labels in (("left", self.left), ("right", self.right)):
            if label in labels:
                return side, labels.index(label)
        raise KeyError(label)

    def number(self, side: str, row: int) -> int:
        """Return the manufacturer's number of a pin."""
        return row + 1 if side == "left" else len(self.left) + len(self.right) - row


edge = str.split  # labels from the top
PICO = Header(
    lazy("Pico, Pico W, Pico 2 and Pico 2 W are wired alike"),
    edge("GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15"),
    edge(
        "VBUS VSYS GND 3V3_EN 3V3 VREF GP28 AGND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND"
        " GP17 GP16"
    ),
    prefix="GP",
    usb="top",
    supply="VSYS",
    numbered=True,
    usb_power="VBUS",
)
ESP32 = Header(
    lazy("ESP32-DevKitC V4, 38 pins"),
    edge("3V3 EN VP VN 34 35 32 33 25 26 27 14 12 GND 13 D2 D3 CMD 5V"),
    edge("GND 23 22 TX RX 21 GND 19 18 5 17 16 4 0 2 15 D1 D0 CLK"),
)
ESP32_S3 = Header(
    lazy("ESP32-S3-DevKitC-1; of its two USB sockets take the one marked UART (or COM)"),
    edge("3V3 3V3 RST 4 5 6 7 15 16 17 18 8 3 46 9 10 11 12 13 14 5V GND"),
    edge("GND TX RX 1 2 42 41 40 39 38 37 36 35 0 45 48 47 21 20 19 GND GND"),
)
ESP32_C3 = Header(
    lazy("ESP32-C3-DevKitM-1"),
    edge("GND 3V3 3V3 2 3 GND RST GND 0 1 10 GND 5V 5V GND"),
    edge("GND TX RX GND 9 8 GND 7 6 5 4 GND 18 19 GND"),
)

# The labels of GPIOs that are not printed as numbers.
OTHER_LABELS = {
    "esp32": {1: "TX", 3: "RX", 36: "VP", 39: "VN"},
    "esp32-s3": {43: "TX", 44: "RX"},
    "esp32-c3": {20: "RX", 21: "TX"},
}

HEADERS = {
    "pico": PICO,
    "pico-w": PICO,
    "pico-2": PICO,
    "pico-2-w": PICO,
    "esp32": ESP32,
    "esp32-s3": ESP32_S3,
    "esp32-c3": ESP32_C3,
}


def pin_label(board: str, pin: int) -> str:
    """Return the label printed beside a GPIO."""
    return OTHER_LABELS.get(board, {}).get(pin) or f"{HEADERS[board].prefix}{pin}"
