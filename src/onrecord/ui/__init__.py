"""Pages that show what the memory holds and what a model sees; rendered here, without a build step or a network."""
