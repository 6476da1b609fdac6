"""How a person starts the commands that the tools for boards advise."""

import os

# In a copy of the project.
START = "py start.py" if os.name == "nt" else "python3 start.py"  # no text: typed as it stands
