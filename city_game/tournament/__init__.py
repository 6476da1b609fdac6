"""A tournament of the championship: teams, tables, rounds; on a projector and before a referee.

`core` is pure, `view` says how it stands, `network` serves its pages and
listens to tables, `evening` is the command with its file.
"""
