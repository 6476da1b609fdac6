"""An evening at the table, without a window: the rules, the unit, the bots and what people want."""
