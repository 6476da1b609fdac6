"""`city-unit program`: what programs there are, as files to read, change and check."""

from city_unit.programs import PROGRAMS
from sim import program_file, program_text
from sim.toml_reader import load


def arguments(parser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="name the built-in programs")
    show = actions.add_parser("show", help="print a program as a file, to start your own from")
    show.add_argument("program", help="a name, or a file")
    check = actions.add_parser("check", help="check a file of your own")
    check.add_argument("file")


def run(options) -> int:
    if options.action == "list":
        for program in PROGRAMS:
            print(program.name)
    elif options.action == "show":
        print(program_text.write(program_file.find(options.program)), end="")
    else:
        program = program_file.read(load(options.file))
        print(f'{options.file}: the program "{program.name}" is in order')
    return 0
