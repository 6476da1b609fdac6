"""The unit's protocol decoder for PulseView and sigrok-cli; `city-unit decoder` installs it."""
