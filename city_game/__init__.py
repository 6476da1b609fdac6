"""The desktop game of Monopoly City: rules, boards, bots, saves, and the table."""
