"""The stages of the sanitizer: markers and the calls that they enclose leave the text, however it is cut."""
