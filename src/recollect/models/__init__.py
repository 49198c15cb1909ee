"""What stands between recollect and models: tokenizers."""
