"""A tournament of the championship: teams, tables, rounds; on a projector and before a referee.

`core` is pure, `record` keeps its steps, `door` serves its page, `live` listens to tables.
"""
