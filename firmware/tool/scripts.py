"""The scripts that a flash runs on the board, by way of mpremote; each prints JSON at most.

Paths are relative to the root of the board. The state of an unfinished flash is
always one that can be reached: until all else is right there is no `main.py` of ours, and another's
stays where it is.
"""

from firmware.linker import FIRST, LATER

# The files in the root of a board that are ours, but for main.py.
NAMES = (
    *(f"{module}.{kind}" for module in (FIRST, LATER) for kind in ("mpy", "py")),
    *("pins.txt", "settings.txt", "crash.txt"),
)
FOLDERS = ("city_unit", "firmware")  # where our files lay before they were three
OURS = b"firmware.board."  # only our main.py contains it
BEFORE = "main.py.before"  # a main.py that was there first; a second one is "main.py.before-2"

# Nobody feeds a watchdog while files are written: an RP2's is switched off by its register
# (the address that clears bits), another is given an hour.
STAND_DOWN = """
import machine, os
place = {"RP2040": 0x4005B000, "RP2350": 0x400DB000}.get(os.uname().machine.split()[-1])
if place:
    machine.mem32[place] = 1 << 30
elif "pins.txt" in os.listdir():
    with open("pins.txt") as file:
        words = file.read().replace(" ", "")
    if "watchdog=on" in words:
        machine.WDT(timeout=3600000)
print("null")
"""  # no text: a program for the board

# Print the board, the checksum of every file that could be ours, and the first bytes of main.py,
# where our version stands: a file there may be broken, and is never run.
LOOK = f"""
import binascii, hashlib, json, os, sys
def checksum(name):
    digest = hashlib.sha256()
    with open(name, "rb") as file:
        while True:
            part = file.read(512)
            if not part:
                return binascii.hexlify(digest.digest()).decode()
            digest.update(part)
def look(folder, found):
    for entry in os.ilistdir(folder):
        name = folder + "/" + entry[0]
        if entry[1] == 0x4000:
            look(name, found)
        else:
            found[name] = checksum(name)
found = {{}}
here = os.listdir()
for name in here:
    if name.startswith("main.py") or name in {NAMES!r}:
        found[name] = checksum(name)
for name in {FOLDERS!r}:
    if name in here:
        look(name, found)
head = open("main.py", "rb").read(800) if "main.py" in here else b""
pins = open("pins.txt").read() if "pins.txt" in here else ""
ours = "main.py" in here and {OURS!r} in open("main.py", "rb").read()
room = os.statvfs("/")
sizes = {{name: os.stat(name)[6] for name in found}}
print(json.dumps({{"machine": os.uname().machine, "version": list(sys.implementation[1][:3]),
    "mpy": sys.implementation._mpy & 255, "files": found, "pins": pins,
    "head": binascii.hexlify(head).decode(), "ours": ours,
    "block": room[1], "free": room[1] * room[3], "sizes": sizes}}))
"""  # no text: a program for the board

# Print the files of these names, in hexadecimal digits.
FETCH = """
import binascii, json, os
here = os.listdir()
found = {{}}
for name in {names!r}:
    if name in here:
        with open(name, "rb") as file:
            found[name] = binascii.hexlify(file.read()).decode()
print(json.dumps(found))
"""  # no text: a program for the board

# Remove main.py if it is ours, some files, and folders of ours that are then empty.
PREPARE = """
import os
def tidy(folder):
    for entry in list(os.ilistdir(folder)):
        if entry[1] == 0x4000:
            tidy(folder + "/" + entry[0])
    try:
        os.rmdir(folder)
    except OSError:
        pass
if "main.py" in os.listdir():
    with open("main.py", "rb") as file:
        ours = {ours!r} in file.read()
    if ours:
        os.remove("main.py")
for name in {unwanted!r}:
    os.remove(name)
for name in {folders!r}:
    if name in os.listdir():
        tidy(name)
print("null")
"""  # no text: a program for the board

# Put main.py in its place, whole or not at all; print the new name of another's, or "".
FINISH = f"""
import json, os
here = os.listdir()
kept = ""
if "main.py" in here:
    kept, number = {BEFORE!r}, 2
    while kept in here:
        kept, number = "{BEFORE}-%d" % number, number + 1
    os.rename("main.py", kept)
os.rename("main.py.new", "main.py")
print(json.dumps(kept))
"""  # no text: a program for the board

# Give the latest of the earlier main.py its name back; print which that was, or "".
RESTORE = f"""
import json, os
here = os.listdir()
earlier = sorted([(len(name), name) for name in here if name.startswith({BEFORE!r})])
restored = ""
if earlier and "main.py" not in here:
    restored = earlier[-1][1]
    os.rename(restored, "main.py")
print(json.dumps(restored))
"""  # no text: a program for the board
