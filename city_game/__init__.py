"""The desktop game: rules, editions, boards, bots, saves, the table, telephones, tournaments."""
