"""A sigrok protocol decoder that annotates the unit's tones, cues and events.

It runs in the Python of PulseView or sigrok-cli, without our packages. `city-unit decoder` installs
it together with `cues.py`, the tables of all cues. The decoder reads the lines edge by edge. A
buzzer's line either swings, and its periods give the pitch, or is high during a tone, and any pitch
matches. Tones in close succession form a cue. Events with the same cue are told apart by the lamp
that goes on at the same time.
"""

import sigrokdecode as srd

from .cues import CUES, LAMPS

LONGEST_PERIOD_S = 0.008  # longer high levels are an active buzzer's tones, low ones pauses
LONGEST_PAUSE_S = 0.25  # between two tones of a cue
LENGTH_S, LENGTH_PART, PITCH_PART = 0.006, 0.08, 0.02
WITH_S = 0.02  # a lamp and a cue this close together are one event


class Decoder(srd.Decoder):
    """The class that libsigrokdecode looks up by name."""

    api_version = 3
    id = "city_unit"
    name = "City Unit"
    longname = "Electronic unit of a board game"  # no text: of sigrok's list
    desc = "Lamps, tones, cues and events of City Unit."  # no text: of sigrok's list
    license = "mit"
    inputs = ["logic"]
    outputs = []
    tags = ["Embedded/industrial"]
    optional_channels = tuple(
        {"id": name, "name": name, "desc": name} for name in (*LAMPS, "buzzer")
    )
    options = (
        {
            "id": "lamps",
            "desc": "A lamp is lit when its line is",  # no text: of sigrok's list
            "default": "high",
            "values": ("high", "low"),
        },
    )
    annotations = (("lamp", "Lamp"), ("tone", "Tone"), ("event", "Event"))
    annotation_rows = (
        ("lamps", "Lamps", (0,)),
        ("tones", "Tones", (1,)),
        ("events", "Events", (2,)),
    )

    def __init__(self):
        self.reset()

    def reset(self):
        self.samplerate = None
        self.lit = {}  # the sample at which each lit lamp went on
        self.switched = []  # (sample, lamp) of lamps that went on recently
        self.turns = []  # (sample, level) of the buzzer since the last pause
        self.tones = []  # (start, end, Hz or 0) of the current cue

    def metadata(self, key, value):
        if key == srd.SRD_CONF_SAMPLERATE:
            self.samplerate = value

    def start(self):
        self.out_ann = self.register(srd.OUTPUT_ANN)

    def decode(self):
        if not self.samplerate:
            raise ValueError("Cannot decode without samplerate.")  # no text: sigrok's
        pins = self.wait()
        # An unused channel reads 255. has_channel() of libsigrokdecode 0.5.3 miscounts references.
        used = [place for place, level in enumerate(pins) if level in (0, 1)]
        if not used:
            raise ValueError("Connect at least one lamp or the buzzer.")  # no text: sigrok's
        edges = [{place: "e"} for place in used]
        buzzer = len(LAMPS)
        patience = max(2, int(LONGEST_PAUSE_S * self.samplerate))
        levels = {buzzer: 0}
        is_waiting = False
        while True:
            now = self.samplenum
            for place in used:
                if levels.get(place) == pins[place]:
                    continue
                levels[place] = pins[place]
                if place == buzzer:
                    self._swing(now, pins[place])
                else:
                    name = LAMPS[place]
                    if pins[place] == (self.options["lamps"] == "high"):
                        self.lit[name] = now
                        self.switched = [*self.switched[-20:], (now, name)]
                    elif name in self.lit:
                        self.put(self.lit.pop(name), now, self.out_ann, [0, [name]])
            is_sounding = bool(self.turns and self.turns[-1][1])
            if is_waiting and not is_sounding:
                last = self.turns[-1][0] if self.turns else self.tones[-1][1]
                if now - last >= patience:
                    self._end()
            is_waiting = bool(self.turns or self.tones)
            try:
                pins = self.wait([*edges, {"skip": patience}] if is_waiting else edges)
            except EOFError:
                self._end()
                raise

    def _swing(self, now, level):
        if not (level or self.turns):
            return
        gap = int(LONGEST_PERIOD_S * self.samplerate)
        if level and self.turns and now - self.turns[-1][0] > gap:
            self._tone()
        is_new = level and self.tones and not self.turns
        if is_new and now - self.tones[-1][1] > LONGEST_PAUSE_S * self.samplerate:
            self._cue()
        self.turns.append((now, level))

    def _tone(self):
        """Split the edges since the last pause into tones, one per pitch."""
        rises = [at for at, level in self.turns if level]
        end = self.turns[-1][0]
        if len(rises) < 4:
            self._sounded(rises[0], end, 0)
            self.turns = []
            return
        periods = [b - a for a, b in zip(rises, rises[1:])]
        start = 0
        some = max(3, int(0.004 * self.samplerate / periods[0]))
        for place in range(some, len(periods) - some + 1):
            before = (rises[place] - rises[place - some]) / some
            after = (rises[place + some] - rises[place]) / some
            if place - start >= some and abs(after / before - 1) > 0.15:
                self._pitched(rises[start : place + 1], rises[place])
                start = place
        self._pitched(rises[start:], end)
        self.turns = []

    def _pitched(self, rises, end):
        hz = (len(rises) - 1) * self.samplerate / (rises[-1] - rises[0])
        self._sounded(rises[0], end, hz)

    def _sounded(self, start, end, hz):
        self.put(start, end, self.out_ann, [1, [f"{hz:.0f} Hz" if hz else "tone"]])
        self.tones.append((start, end, hz))

    def _end(self):
        if self.turns:
            self._tone()
        if self.tones:
            self._cue()

    def _cue(self):
        """Match the tones with cues, preferring the longest, and annotate them."""
        while self.tones:
            found = [(len(notes), name) for name, notes in CUES if self._fits(notes)]
            longest = max((count for count, _name in found), default=1)
            names = [name for count, name in found if count == longest]
            start, end = self.tones[0][0], self.tones[longest - 1][1]
            near = WITH_S * self.samplerate
            lamps = {name for at, name in self.switched if abs(at - start) <= near}
            if "auction" in lamps and "auction-started" in names:
                names = ["auction-started"]
            elif "permit-started" in names and any(name.startswith("permit-") for name in lamps):
                names = ["permit-started"]
            if names:
                self.put(start, end, self.out_ann, [2, [" / ".join(names)]])
            self.tones = self.tones[longest:]

    def _fits(self, notes):
        if len(notes) > len(self.tones):
            return False
        last = None
        for (start, end, hz), (pause, note_hz, ms) in zip(self.tones, notes):
            if hz and abs(hz / note_hz - 1) > PITCH_PART:
                return False
            if not self._about(end - start, ms):
                return False
            if last is not None and not self._about(start - last, pause):
                return False
            last = end
        return True

    def _about(self, samples, ms):
        off = abs(samples / self.samplerate - ms / 1000)
        return off <= max(LENGTH_S, LENGTH_PART * ms / 1000)
