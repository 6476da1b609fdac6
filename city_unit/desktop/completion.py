"""The command `completion`: prints the script with which a shell completes words (by shtab)."""

import argparse

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS

SHELLS = ("bash", "zsh", "fish", "powershell", "tcsh")


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
    import shtab  # no other command uses it

    program = options.main_program
    script = shtab.complete(program.whole(complete=shtab.FILE), options.shell)
    print(script)
    return SUCCESS
