"""The unit on a desktop: window, terminal, headless, link and timing lab."""
