"""How the encoder of onrecord is made: data, learning, measuring, and the file that is shipped. See README.md here."""
