"""Real auctions of 50 s, recorded from the sound device that a real Chromium plays on.

A browser suspends a stream that has been silent for 30 s, and its main thread must restart it: a
warning after 45 s of silence is then late. The intervals are of the recording's own samples.
"""

import shutil
import subprocess
import time
from contextlib import ExitStack, contextmanager

import numpy as np
import pytest

from tests.helpers.needs import needs
from tests.helpers.patience import until
from tests.helpers.times import FAST_MS, LENGTH_MS, SLOW_MS
from tests.sim.web.devtools import Page, running

pytestmark = [pytest.mark.real_time, pytest.mark.slow, pytest.mark.alone]

RATE = 48_000
GOAL_MS = 5
AUDIBLE = 1e-3  # the source that keeps the stream running is a thousand times softer
GAP_MS = 20  # a silence that ends a note
CONDITIONS = ("foreground", "hidden", "blocked", "processor / 6")
BLOCKED_MS = (
    SLOW_MS - 12_000,
    LENGTH_MS + 1500,
)  # of the auction: from before the warning to behind the end

BLOCK = """(until => void setTimeout(() => { while (app.time.now() < until); }, 0))"""


@pytest.fixture
def devices(tmp_path, monkeypatch):
    """A sound server that nothing else uses, with one silent device for each condition."""
    for program in ("pulseaudio", "parec", "pactl"):
        needs(shutil.which(program), program)
    for name in ("PULSE_RUNTIME_PATH", "PULSE_STATE_PATH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"):
        folder = tmp_path / name
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(name, str(folder))
    socket = f"{tmp_path}/sound"
    monkeypatch.setenv("PULSE_SERVER", f"unix:{socket}")
    modules = [f"--load=module-native-protocol-unix auth-anonymous=1 socket={socket}"]
    for number in range(len(CONDITIONS)):
        modules.append(f"--load=module-null-sink sink_name=device{number} rate={RATE} channels=2")
    server = subprocess.Popen(
        [
            "pulseaudio",
            "-n",
            "--daemonize=no",
            "--use-pid-file=no",
            "--exit-idle-time=-1",
            *modules,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: not subprocess.run(["pactl", "info"], capture_output=True).returncode)
        yield [f"device{number}" for number in range(len(CONDITIONS))]
    finally:
        server.terminate()
        server.wait()


@contextmanager
def recorded(device, path):
    """Record the sound of a device, as 32-bit floats."""
    words = ["--format=float32le", "--channels=1", f"--rate={RATE}", "--latency-msec=50"]
    with path.open("wb") as file:
        recorder = subprocess.Popen(["parec", f"--device={device}.monitor", *words], stdout=file)
        try:
            yield
        finally:
            recorder.terminate()
            recorder.wait()


def notes(path):
    """Return the onset and the length of each note of a recording, in ms."""
    loud = np.flatnonzero(np.abs(np.fromfile(path, "<f4")) > AUDIBLE)
    gaps = np.flatnonzero(np.diff(loud) > RATE * GAP_MS // 1000)
    onsets = loud[np.concatenate([[0], gaps + 1])]
    ends = loud[np.concatenate([gaps, [-1]])] + 1
    return [
        (on * 1000 / RATE, (end - on) * 1000 / RATE) for on, end in zip(onsets, ends, strict=True)
    ]


def test_between_warning_and_end_lie_five_seconds(
    devices, site, tmp_path, monkeypatch, chromium_path
):
    with ExitStack() as stack:
        for condition, device in zip(CONDITIONS, devices, strict=True):
            monkeypatch.setenv("PULSE_SINK", device)
            page = Page(stack.enter_context(running(chromium_path)), site)
            stack.enter_context(recorded(device, tmp_path / f"{device}.f32"))
            page.switch_on()
            page.until(
                "app.time.now() > app.history.since + 1000"
            )  # the sound of the switch is over
            begun = page.begin_auction()
            if condition == "hidden":
                page.hide()
            elif condition == "processor / 6":
                page.ask("Emulation.setCPUThrottlingRate", rate=6)
            elif condition == "blocked":
                wait, over = BLOCKED_MS
                page.evaluate(f"void setTimeout({BLOCK}, {wait}, {begun + over})")
        page.until(f"app.time.now() > {begun + LENGTH_MS + 1500}")  # the last that began
        time.sleep(1)  # until the recorder has all of the device's sound
    errors = {}
    print("\nms from the tick of the press to the warning, and from there to the end:")
    for condition, device in zip(CONDITIONS, devices, strict=True):
        heard = notes(tmp_path / f"{device}.f32")
        tick, warning, end = (heard[place][0] for place in (-4, -3, -2))  # the end is two notes
        print(f"{condition:16}{warning - tick:>10.2f}{end - warning:>10.2f}")
        errors[condition] = round(float(end - warning - FAST_MS), 2)
        assert warning - tick < LENGTH_MS, condition  # a stream that the main thread restarts
    assert max(map(abs, errors.values())) <= GOAL_MS, errors
