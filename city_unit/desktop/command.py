"""Command lines with subcommands: parsing, help, one-line errors, and progress of long work.

The module of a command has two functions: `arguments(parser)` declares the options, `run(options)`
does the work and returns the exit status. A module with several commands has `NAME_arguments` and
`run_NAME` for each. Only the module of the requested command is imported, for a fast start.

`Program.main` looks up the command and runs it by `start`, which selects the language and turns
every expected error into one line on standard error and an exit status.
"""

import argparse
import codecs
import errno
import functools
import importlib
import io
import os
import re
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from city_unit.desktop import catalogue, language
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import (
    EXIT_CODES,
    FAILURE,
    INVALID,
    STOPPED,
    SUCCESS,
    UNCHECKED,
    UserError,
    at,
    did_you_mean,
    install_command,
    nearest,
)
from city_unit.desktop.files import cannot_write, reason
from city_unit.facts import VERSION

# argparse translates its own texts by these names in its module; it has no other interface.
setattr(argparse, "_", catalogue.gettext)  # noqa: B010 - argparse does not declare it
setattr(argparse, "ngettext", catalogue.ngettext)  # noqa: B010

# Those texts, from Python 3.10 to 3.14, for the catalogue.
ARGPARSE = (
    lazy("usage: "),
    lazy("%(heading)s:"),
    lazy("positional arguments"),
    lazy("options"),
    lazy("subcommands"),
    lazy("show this help message and exit"),
    lazy("show program's version number and exit"),
    lazy(" (default: %(default)s)"),
    lazy("%(prog)s: error: %(message)s\n"),
    lazy("argument %(argument_name)s: %(message)s"),
    lazy("expected one argument"),
    lazy("expected at most one argument"),
    lazy("expected at least one argument"),
    catalogue.nlazy("expected %s argument", "expected %s arguments"),
    lazy("the following arguments are required: %s"),
    lazy("one of the arguments %s is required"),
    lazy("not allowed with argument %s"),
    lazy("ignored explicit argument %r"),
    lazy("unrecognized arguments: %s"),
    lazy("ambiguous option: %(option)s could match %(matches)s"),
    lazy("invalid choice: %(value)r (choose from %(choices)s)"),
    lazy("invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)"),
    lazy("invalid %(type)s value: %(value)r"),
    lazy("unknown parser %(parser_name)r (choices: %(choices)s)"),
    lazy("can't open '%(filename)s': %(error)s"),
)


class Form(argparse.HelpFormatter):
    """Formats help: paragraphs are wrapped to the terminal, indented lines stay as they are.

    Unlike with argparse, lines do not break at hyphens, so that paths and options can be copied.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(_filled(part, width, indent) for part in text.split("\n\n"))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(_one_line(text), width, **_UNBROKEN)


_UNBROKEN: dict[str, Any] = {"break_on_hyphens": False, "break_long_words": False}


def _filled(paragraph: str, width: int, indent: str = "") -> str:
    if any(line.startswith(" ") for line in paragraph.splitlines()):
        return paragraph
    return textwrap.fill(
        _one_line(paragraph), width, initial_indent=indent, subsequent_indent=indent, **_UNBROKEN
    )


def _one_line(text: str) -> str:
    """Join the lines of a text; unlike `split()`, keep no-break spaces."""
    return re.sub(r"[ \t\n]+", " ", text).strip(" ")


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line; create it after the language is selected.

    codes  the exit statuses that mean something else for this command than in general
    """

    def __init__(self, **settings: Any) -> None:
        self.codes: dict[int, str] = {}
        super().__init__(**{"formatter_class": Form, **settings})
        which = _("the language, for example `--lang fr` (default: the system's)")
        self.add_argument("--lang", metavar=_("LANG"), help=which)

    def format_help(self) -> str:
        """Return the help, followed by the exit statuses."""
        between = catalogue.pgettext("how this language writes: between long parts of a list", "; ")
        codes = between.join(at(code, self.codes.get(code, what)) for code, what in EXIT_CODES)
        width = max(shutil.get_terminal_size().columns - 2, 11)  # as argparse has it
        exits = _filled(_("exit status: {codes}").format(codes=codes), width)
        return f"{super().format_help()}\n{exits}\n"

    def error(self, message: str) -> NoReturn:
        raise UserError(_("{what}; see `{program} --help`").format(what=message, program=self.prog))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Reject an empty word, also for an option whose value may be omitted."""
        if "" in arg_strings and action.nargs != argparse.PARSER:  # the words of a subcommand
            raise argparse.ArgumentError(action, _("must not be empty"))
        return super()._get_values(action, arg_strings)  # type: ignore[misc]

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Convert a word; an error of int and float names no type of Python."""
        if action.type not in (int, float):
            return super()._get_value(action, arg_string)  # type: ignore[misc]
        try:
            return action.type(arg_string)  # type: ignore[operator]
        except ValueError:
            words = _('"{text}" is not a number')
            if action.type is int:
                words = _('"{text}" is not a whole number')
            raise argparse.ArgumentError(action, words.format(text=arg_string)) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject a word that is not among the choices, with the nearest of these."""
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(str(value), map(str, action.choices))
            words = _('"{word}" is unknown{hint}').format(word=value, hint=hint)
            raise argparse.ArgumentError(action, words)

    def read(self, words: list[str]) -> argparse.Namespace:
        """Parse the options. Raises UserError, which suggests the nearest option."""
        options, unknown = self.parse_known_args(words)
        if not unknown:
            return options
        near = nearest(unknown[0].partition("=")[0], re.findall(r"--[\w-]+", self.format_help()))
        if not near:
            self.error(_('"{word}" is not expected here').format(word=unknown[0]))
        raise UserError(
            _('there is no option "{word}"; did you mean "{near}"?').format(
                word=unknown[0], near=near
            )
        )


# Commands of every program, listed at the end of its first group.
COMMON: Mapping[str, tuple[str, Lazy]] = {
    "completion": (
        "city_unit.desktop.command:completion",
        lazy("print a script for completion in bash, zsh, fish or PowerShell"),
    ),
}


@dataclass(frozen=True)
class Program:
    """A program with several commands.

    name      the name of the executable
    about     a sentence or two for its help
    groups    for each title the commands by name: the path of the module, with `:NAME` if the
              module has several commands, and a line of help
    default   the command to run if none is given
    examples  lines at the end of the help
    """

    name: str
    about: Lazy
    groups: Mapping[Lazy, Mapping[str, tuple[str, Lazy]]]
    default: str
    examples: Lazy | None = None

    def main(self, arguments: list[str] | None = None) -> int:
        """Run the requested command; return the exit status."""
        return start(self.name, self._do, arguments)

    @functools.cached_property
    def commands(self) -> Mapping[str, tuple[str, Lazy]]:
        """The commands of all groups by name."""
        return {name: row for _title, group in self._listed_groups() for name, row in group.items()}

    def _listed_groups(self) -> Iterator[tuple[Lazy, Mapping[str, tuple[str, Lazy]]]]:
        for place, (title, group) in enumerate(self.groups.items()):
            yield title, group if place else {**group, **COMMON}

    def _do(self, words: list[str]) -> int:
        first = words[0] if words else ""
        if first == "--version":
            print(f"{self.name} {VERSION}")
            return SUCCESS
        if first == "help":
            words = [*words[1:2], "--help"]
            first = words[0]
        if first in ("-h", "--help"):
            options = self._front().read(words)
        elif first in self.commands:
            options = self._parser(first).read(words[1:])
        elif first and not first.startswith("-") and not {".", "/", os.sep} & set(first):
            near = nearest(first, [*self.commands, "help"])
            if near:
                hint = _('there is no command "{word}"; did you mean "{near}"?')
            else:
                hint = _('there is no command "{word}"; `{program} --help` lists them')
            raise UserError(hint.format(word=first, near=near, program=self.name))
        else:
            options = self._parser(self.default).read(words)
        return options.run(options)

    def full_parser(self, complete: object = None) -> Parser:
        """Return a parser with all commands as subparsers.

        complete  the value of shtab's attribute `complete` for each argument without choices
        """
        root = self._front()
        subparsers = root.add_subparsers(metavar=_("COMMAND"))
        for name, (path, summary) in self.commands.items():
            parser = subparsers.add_parser(name, help=str(summary))
            _functions(path)[0](parser)
            for action in parser._actions:
                if action.nargs != 0 and action.choices is None:
                    setattr(action, "complete", complete)  # noqa: B010 - not declared
        return root

    def _parser(self, name: str) -> Parser:
        path, summary = self.commands[name]
        parser = Parser(prog=f"{self.name} {name}", description=str(summary))
        declare, run = _functions(path)
        parser.set_defaults(run=run, main_program=self)
        declare(parser)
        return parser

    def _front(self) -> Parser:
        """Return the parser for the program's own help, with one line per command."""
        lines = [str(self.about)]
        for title, group in self._listed_groups():
            rows = [f"  {name:12}{summary}" for name, (_path, summary) in group.items()]
            lines += ["", str(title), *rows]
        more = _("`{program} COMMAND --help` lists the options of a command.")
        lines += ["", more.format(program=self.name)]
        parser = Parser(
            prog=self.name,
            usage=_("{program} [COMMAND] [OPTION ...]").format(program=self.name),
            description="\n".join(lines),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        version = _("print the version and exit")
        parser.add_argument("--version", action="store_true", help=version)
        if self.examples:
            parser.epilog = str(self.examples)
        return parser


def _functions(path: str) -> tuple[Callable[[Parser], None], Callable[[argparse.Namespace], int]]:
    """Import a command; return its functions `arguments` and `run`."""
    path, _colon, name = path.partition(":")
    module = importlib.import_module(path)
    if not name:
        return module.arguments, module.run
    return getattr(module, f"{name}_arguments"), getattr(module, f"run_{name}")


# Optional packages by module: the client, the rules and the lab run without them.
INSTALLED_AS = {"pygame": "pygame-ce", "segno": "segno", "websockets": "websockets"}


def start(program: str, do: Callable[[list[str]], int], arguments: list[str] | None = None) -> int:
    """Run a command line in the selected language; return the exit status.

    Errors that the user can correct are reported in one line.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the caller has closed it, or it is a window on Windows
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - stays open
    try:
        chosen, words = split_language(sys.argv[1:] if arguments is None else arguments)
        language.choose(chosen)
        # Replace characters that the input cannot decode or the output encode, instead of failing:
        # pipes on Windows have no narrow no-break space, which French uses in numbers.
        codecs.register_error("plain", _plain)
        streams = ((sys.stdin, "replace"), (sys.stdout, "plain"), (sys.stderr, "plain"))
        for stream, errors in streams:
            # In the locale C they pass undecodable bytes through, and fail on the rest.
            if isinstance(stream, io.TextIOWrapper) and stream.errors in _FAIL:
                stream.reconfigure(errors=errors)
        if chosen and not catalogue.known(chosen):
            message = _('there is no language "{word}"; choose one of {languages}')
            languages = ", ".join(catalogue.languages())
            raise UserError(message.format(word=chosen, languages=languages))
        try:
            code = do(words)
        except SystemExit:  # as argparse ends after a help
            sys.stdout.flush()
            raise
        sys.stdout.flush()
        return code
    except UserError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return error.code
    except ModuleNotFoundError as error:
        package = INSTALLED_AS.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        words = _("this needs {package}: {install}")
        words = words.format(package=package, install=install_command(package))
        print(f"{program}: {words}", file=sys.stderr)
        return UNCHECKED
    except BrokenPipeError:  # the reader of the output has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except OSError as error:  # such as from a file name that is too long
        if error.filename is not None:
            print(f"{program}: {at(error.filename, reason(error))}", file=sys.stderr)
        elif error.errno in _OF_DISKS:  # the output is redirected to a file; discard the rest
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            print(f"{program}: {cannot_write('stdout', error)}", file=sys.stderr)
        else:
            raise
        return FAILURE
    except UnicodeEncodeError:  # from a file or a name, since the standard streams replace
        words = _("a name is invalid in this locale: set one in UTF-8, such as LC_ALL=C.UTF-8")
        print(f"{program}: {words}", file=sys.stderr)
        return INVALID
    except KeyboardInterrupt:
        return STOPPED


_FAIL = ("strict", "surrogateescape")  # error handlers of streams
_OF_DISKS = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = unicodedata.normalize("NFKD", error.object[error.start : error.end])
    plain = "".join(sign for sign in signs if not unicodedata.combining(sign))
    return plain.encode("ascii", "replace").decode(), error.end


def split_language(words: list[str]) -> tuple[str, list[str]]:
    """Return the value of `--lang`, "" if there is none, and the words without it.

    It is needed before the other options are parsed, since their errors are translated.
    """
    for place, word in enumerate(words):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        after = place + (1 if equals else 2)
        value = value or "".join(words[place + 1 : after])
        if name == "--lang" and value:  # the parser rejects it without a value
            return value, words[:place] + words[after:]
    return "", words


# Arguments shared by several commands.

T = TypeVar("T")


def add_unit_port(parser: argparse.ArgumentParser) -> None:
    """Add `--port` for a live unit; the default is the only unit that can be found."""
    parser.add_argument(
        "--port",
        default="auto",
        metavar=_("PORT"),
        help=_("a serial port, socket://HOST:PORT, auto or auto:NAME (default: auto)"),
    )


def add_json_report(parser: argparse.ArgumentParser) -> None:
    """Add `--json` for a report printed at the end."""
    parser.add_argument(
        "--json", action="store_true", help=_("print the report as one JSON object")
    )


def add_json_lines(parser: argparse.ArgumentParser) -> None:
    """Add `--json` for output printed line by line."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per line"))


def add_force_overwrite(parser: argparse.ArgumentParser) -> None:
    """Add `--force` to overwrite an existing file."""
    parser.add_argument("--force", action="store_true", help=_("overwrite an existing file"))


def add_force_on_unit(parser: argparse.ArgumentParser) -> None:
    """Add `--force` to use a live unit even if it is busy, and to overwrite an existing file."""
    words = _("use a live unit even in the middle of an auction; overwrite existing files")
    parser.add_argument("--force", action="store_true", help=words)


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Add the scenario file, and the options that override its values."""
    parser.add_argument("file", metavar=_("FILE"), help=_("the scenario; - is standard input"))
    parser.add_argument(
        "--program",
        metavar=_("NAME"),
        help=_("the name or the file of a program, instead of the one in FILE"),
    )
    parser.add_argument(
        "--seed", metavar=_("N"), type=whole_number, help=_("the seed, instead of the one in FILE")
    )


def whole_number(text: str) -> int:
    """Parse a non-negative whole number. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal()):
        words = _('"{text}" is not a whole number, 0 or more')
        raise argparse.ArgumentTypeError(words.format(text=text))
    return int(text)


def number_from_1(text: str) -> int:
    """Parse a whole number from 1 up. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal() and int(text)):
        words = _('"{text}" is not a whole number, 1 or more')
        raise argparse.ArgumentTypeError(words.format(text=text))
    return int(text)


def convert(option: str, reader: Callable[[str], T], text: str) -> T:
    """Convert the text of an option by `reader`. Raises UserError, which names the option."""
    try:
        return reader(text)
    except ValueError as error:
        raise UserError(at(option, error)) from None


# The command `completion`.

SHELLS = ("bash", "zsh", "fish", "powershell", "tcsh")


def completion_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar=_("SHELL"), help=_("the shell"))
    name = parser.prog.split()[0]
    parser.epilog = _(
        "Save the script where the shell looks for it, then open a new shell:\n\n"
        "    {program} completion bash > ~/.local/share/bash-completion/completions/{program}\n"
        '    {program} completion zsh > "${{fpath[1]}}/_{program}"\n'
        "    {program} completion fish > ~/.config/fish/completions/{program}.fish\n"
        "    {program} completion powershell >> $PROFILE"
    ).format(program=name)


def run_completion(options: argparse.Namespace) -> int:
    import shtab  # no other command uses it

    program = options.main_program
    script = shtab.complete(program.full_parser(complete=shtab.FILE), options.shell)
    print(script)
    return SUCCESS


_EVERY_S = 0.2  # interval of updates, so as not to flood the terminal
_WIPE = "\r\x1b[K"


class Progress:
    """A progress line on standard error, erased when the work is done.

    patience_s  how long to wait before showing it
    """

    def __init__(self, patience_s: float = 0.0) -> None:
        self._show_at = time.monotonic() + patience_s
        self._is_shown = False

    def show(self, text: object, part: float) -> None:
        """Show `text` while `part` (0 to 1) of the work is done."""
        if part >= 1:
            self.wipe()
            return
        now = time.monotonic()
        if now < self._show_at or not sys.stderr.isatty():
            return
        self._show_at = now + _EVERY_S
        self._is_shown = True
        _write(f"{_WIPE}{text}")

    def percent(self, words: str, part: float) -> None:
        """Show `words` with the field `percent` filled in."""
        self.show(words.format(percent=round(part * 100)), part)

    def wipe(self) -> None:
        """Erase the line if it is shown."""
        if self._is_shown:
            self._is_shown = False
            _write(_WIPE)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
