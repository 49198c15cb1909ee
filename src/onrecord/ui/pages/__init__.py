"""The pages, a file for each."""

from onrecord.ui.pages import (
    chat_page,
    context_page,
    episodes_page,
    fact,
    fact_graph,
    facts_page,
    health,
    home,
    recall_page,
    session_page,
)

ROUTERS = (
    home.router,
    facts_page.router,
    fact_graph.router,
    fact.router,
    episodes_page.router,
    chat_page.router,
    context_page.router,
    recall_page.router,
    session_page.router,
    health.router,
)
"""Their routes."""
