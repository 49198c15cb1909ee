"""The service: everything the library does, over HTTP; a proxy for chat programs; tools for agents."""
