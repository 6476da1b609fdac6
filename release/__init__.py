"""All downloads, built from one commit: `python3 start.py release OUT --images FOLDER`.

`--only window` builds one part. To publish in a fork, turn on Pages once (Settings, Pages, Source:
GitHub Actions), then push a tag that begins with `v`. The workflow `release.yml` builds and tries
everything on three desktops, fetches MicroPython for the boards, checked against `images.txt`, and
publishes page, windows, files and packages.

Never run: the workflow itself, the windows for Windows and macOS, and the files made from
MicroPython's own images, which nobody here has downloaded; their checksums are those that other
projects pinned. Tests build them from stand-ins for each image, and the same MicroPython for the
Pico, built from source, runs on an emulated chip. The window for Linux was tried on a bare Debian
without Python, X libraries, network or sound: it needs none of them, but its title is missing
without X11's locale data, which every desktop has.
"""
