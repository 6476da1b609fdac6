"""A tournament of the championship: teams, tables and rounds, for a projector and a referee.

`core` is the pure state and `view` presents it. `network` serves the pages and watches tables, and
`evening` is the command with its file.
"""
