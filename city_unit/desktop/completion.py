"""The command `completion`: what a shell needs to complete words, made from the parsers."""

# No texts: programs for shells.
import argparse
from collections.abc import Sequence

from city_unit.desktop.catalogue import _
from city_unit.desktop.command_line import Command, Option
from city_unit.desktop.errors import SUCCESS

SHELLS = ("bash", "zsh", "fish", "powershell")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar=_("SHELL"), help=_("for which shell"))
    name = parser.prog.split()[0]
    parser.epilog = _(
        "Write it where the shell reads it, and open another shell:\n\n"
        "    {program} completion bash > ~/.local/share/bash-completion/completions/{program}\n"
        '    {program} completion zsh > "${{fpath[1]}}/_{program}"\n'
        "    {program} completion fish > ~/.config/fish/completions/{program}.fish\n"
        "    {program} completion powershell >> $PROFILE"
    ).format(program=name)


def run(options: argparse.Namespace) -> int:
    program = options.main_program
    print(script(program.name, options.shell, list(program.described())), end="")
    return SUCCESS


def script(program: str, shell: str, commands: Sequence[Command]) -> str:
    """Return the script that completes a program in a shell."""
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish, "powershell": _powershell}
    return "\n".join(writers[shell](program, commands)) + "\n"


def _words(command: Command) -> list[str]:
    """Return the words that may follow a command."""
    named = [name for option in command.options for name in option.names]
    return [*named, *(word for place in command.places for word in place.choices)]


def _in_a_line(text: str) -> str:
    return " ".join(text.split())


def _bash(program: str, commands: Sequence[Command]) -> list[str]:
    function = "_" + program.replace("-", "_")
    lines = [
        f"# bash completion of {program}",
        f"{function}() {{",
        '    local command="" word',
        "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
        '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        '        [[ $word == -* ]] || { command="$command${command:+ }$word"; }',
        "    done",
        "    local words choices=''",
        "    while [[ -n $command ]]; do",
        '        case "$command" in',
    ]
    root, *others = commands
    for command in others:
        lines += [
            f"        {_quoted(command.name)}) words={_quoted(' '.join(_words(command)))}; break ;;"
        ]
    lines += [
        "        esac",
        '        [[ $command == *" "* ]] && command="${command% *}" || command=""',
        "    done",
        f"    [[ -n $command ]] || words={_quoted(' '.join(_words(root)))}",
        '    case "$command $before" in',
    ]
    for command, option in _with_choices(commands):
        names = "|".join(
            _quoted(f"{command.name if command is not root else ''} {name}")
            for name in option.names
        )
        lines.append(f"        {names}) choices={_quoted(' '.join(option.choices))} ;;")
    return [
        *lines,
        "        *) ;;",
        "    esac",
        '    COMPREPLY=($(compgen -W "${choices:-$words}" -- "$current"))',
        '    [[ -n $choices || $current == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))',
        "}",
        f"complete -o filenames -F {function} {program}",
    ]


def _with_choices(commands: Sequence[Command]) -> list[tuple[Command, Option]]:
    return [
        (command, option) for command in commands for option in command.options if option.choices
    ]


def _quoted(text: str) -> str:
    """Return a text as one word of a POSIX shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh(program: str, commands: Sequence[Command]) -> list[str]:
    function = "_" + program.replace("-", "_")
    lines = [
        f"#compdef {program}",
        f"{function}() {{",
        "    local -a words_of_it",
        '    local command="" word',
        '    for word in "${(@)words[2,CURRENT-1]}"; do',
        '        [[ $word == -* ]] || command="$command${command:+ }$word"',
        "    done",
        "    while true; do",
        '        case "$command" in',
    ]
    root, *others = commands
    for command in (*others, root):
        name = "" if command is root else command.name
        lines.append(f"        {_quoted(name)})")
        rows = [
            f"{_escaped(word)}:{_in_a_line(about)}" for word, about in _described(command, commands)
        ]
        lines.append(f"            words_of_it=({' '.join(map(_quoted, rows))}); break ;;")
    return [
        *lines,
        "        esac",
        '        [[ $command == *" "* ]] && command="${command% *}" || command=""',
        "    done",
        "    _describe 'word' words_of_it",
        "    _files",
        "}",
        f'if [ "$funcstack[1]" = "_{program}" ]; then',
        f'    {function} "$@"',
        "else",
        f"    compdef {function} {program}",
        "fi",
    ]


def _escaped(word: str) -> str:
    return word.replace(":", "\\:")


def _described(command: Command, commands: Sequence[Command]) -> list[tuple[str, str]]:
    """Return the words that may follow a command, each with what it does."""
    abouts = {each.name: each.about for each in commands}
    prefix = f"{command.name} " if command is not commands[0] else ""
    words = [(name, option.help) for option in command.options for name in option.names]
    for place in command.places:
        words += [(word, abouts.get(prefix + word, place.help)) for word in place.choices]
    return words


def _fish(program: str, commands: Sequence[Command]) -> list[str]:
    lines = [f"# fish completion of {program}"]
    root, *others = commands
    first = [command.name for command in others if " " not in command.name]
    unnamed = f"not __fish_seen_subcommand_from {' '.join(first)}"
    for command in commands:
        seen = " && ".join(f"__fish_seen_subcommand_from {word}" for word in command.name.split())
        condition = _quoted(unnamed if command is root else seen)
        start = f"complete -c {program} -n {condition}"
        for option in command.options:
            flags = " ".join(_fish_flag(name) for name in option.names)
            value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else ""
            value = value or (" -r" if option.value else "")
            lines.append(f"{start} {flags}{value} -d {_quoted(_in_a_line(option.help))}")
        for word, about in _described(command, commands):
            if not word.startswith("-"):
                lines.append(f"{start} -a {word} -d {_quoted(_in_a_line(about))}")
    return lines


def _fish_flag(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _powershell(program: str, commands: Sequence[Command]) -> list[str]:
    table = []
    for command in commands:
        name = "" if command is commands[0] else command.name
        words = ", ".join(_powershell_word(word) for word in _words(command))
        table.append(f"        '{name}' = @({words})")
    return [
        f"# PowerShell completion of {program}",
        f"Register-ArgumentCompleter -Native -CommandName {program} -ScriptBlock {{",
        "    param($word, $tree, $position)",
        "    $words = @{",
        *table,
        "    }",
        "    $command = ''",
        "    foreach ($element in $tree.CommandElements | Select-Object -Skip 1) {",
        "        $text = $element.ToString()",
        "        if ($text -eq $word -or $text.StartsWith('-')) { continue }",
        '        $longer = "$command $text".Trim()',
        "        if ($words.ContainsKey($longer)) { $command = $longer }",
        "    }",
        '    $words[$command] | Where-Object { $_ -like "$word*" } | ForEach-Object {',
        "        [System.Management.Automation.CompletionResult]::new(",
        "            $_, $_, 'ParameterValue', $_)",
        "    }",
        "}",
    ]


def _powershell_word(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"
