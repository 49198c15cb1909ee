"""The pages, a file for each."""

from onrecord.ui.pages import chat, context, episodes, fact, fact_graph, facts, health, home, recall, session

ROUTERS = (
    home.router,
    facts.router,
    fact_graph.router,
    fact.router,
    episodes.router,
    chat.router,
    context.router,
    recall.router,
    session.router,
    health.router,
)
"""Their routes."""
