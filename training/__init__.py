"""How the encoder of recollect is made: data, learning, measuring, and the file that is shipped. See README.md here."""
