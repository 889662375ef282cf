"""The screens: they compose panels, take the keys, and move the session on."""
