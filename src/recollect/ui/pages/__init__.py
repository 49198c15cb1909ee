"""The pages, a file for each."""

from recollect.ui.pages import home

ROUTERS = (home.router,)
"""Their routes."""
