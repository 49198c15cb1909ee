"""Memory inside other programs and libraries."""
