"""The scripts that a flash runs on the board, by way of mpremote; each prints JSON at most.

Paths are relative to the root of the board. The state of an unfinished flash is
always one that can be reached: there is no `main.py` until all else is right.
"""

OURS = "firmware.board.body"  # what only our main.py says
BEFORE = "main.py.before"  # a main.py that was there first

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

# Print who the board is, the checksum of every file that could be ours, and the first bytes of
# the one in which our version stands: what lies there may be broken, and is never run.
LOOK = """
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
found = {}
here = os.listdir()
for name in ("main.py", "main.py.new", "main.py.before", "pins.txt", "settings.txt", "crash.txt"):
    if name in here:
        found[name] = checksum(name)
for name in ("city_unit", "firmware"):
    if name in here:
        look(name, found)
facts = ""
for kind in (".mpy", ".py"):
    name = "city_unit/facts" + kind
    if name in found:
        with open(name, "rb") as file:
            facts = binascii.hexlify(file.read(800)).decode()
pins = open("pins.txt").read() if "pins.txt" in here else ""
print(json.dumps({"machine": os.uname().machine, "version": list(sys.implementation[1][:3]),
    "mpy": sys.implementation._mpy & 255, "files": found, "facts": facts, "pins": pins}))
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

# Take main.py away, ours for good and another's for later; delete; make folders.
PREPARE = """
import os
if "main.py" in os.listdir():
    with open("main.py") as file:
        ours = {ours!r} in file.read()
    if ours:
        os.remove("main.py")
    else:
        os.rename("main.py", {before!r})
for name in {unwanted!r}:
    os.remove(name)
for name in {folders!r}:
    try:
        os.mkdir(name)
    except OSError:
        pass
print("null")
"""  # no text: a program for the board

# Put main.py in its place, whole or not at all.
FINISH = """
import os
os.rename("main.py.new", "main.py")
print("null")
"""  # no text: a program for the board

# Remove folders that are empty, and give an earlier main.py its name back.
TIDY = """
import os
for name in {folders!r}:
    try:
        os.rmdir(name)
    except OSError:
        pass
here = os.listdir()
if {before!r} in here and "main.py" not in here:
    os.rename({before!r}, "main.py")
    print("true")
else:
    print("false")
"""  # no text: a program for the board
