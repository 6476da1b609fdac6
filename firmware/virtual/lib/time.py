"""`time` of a virtual board; its ticks wrap at 2^30 as on a real one."""

import world

time = world.time.time
time_ns = world.time.time_ns
localtime = gmtime = world.time.localtime
ticks_ms = world.ticks_ms
ticks_us = world.ticks_us
ticks_cpu = world.ticks_us


def ticks_add(ticks: int, delta: int) -> int:
    return ticks + delta & world.MASK


def ticks_diff(later: int, earlier: int) -> int:
    return (later - earlier + 0x20000000 & world.MASK) - 0x20000000


def sleep_us(us: int) -> None:
    world.sleep(us)


def sleep_ms(ms: int) -> None:
    world.sleep(ms * 1000)


def sleep(seconds: float) -> None:
    world.sleep(int(seconds * 1000000))
