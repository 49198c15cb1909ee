"""What stands between onrecord and models: tokenizers."""
