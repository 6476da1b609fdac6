"""The unit on the table, reached only through the link."""
