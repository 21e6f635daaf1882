"""The built-in studies, one question a file."""
