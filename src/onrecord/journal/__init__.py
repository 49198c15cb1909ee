"""The write path's door: normalise, count, score, append; and the way back out, page by page."""
