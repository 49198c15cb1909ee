"""Where things stand in a drawing: pure functions from what is known to small records that a template draws."""
