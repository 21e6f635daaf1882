"""Play a few levels and print how often each agent wins."""
