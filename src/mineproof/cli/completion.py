"""`mineproof completion`: the script that completes words in a shell."""

from __future__ import annotations

import os
from typing import Final

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

_PROGRAM: Final = "mineproof"
_VARIABLE: Final = "_MINEPROOF_COMPLETE"
"""The variable by which the script asks for completions."""
_SETUP: Final = """\b
bash  add to ~/.bashrc:  eval "$(mineproof completion bash)"
zsh   add to ~/.zshrc:   eval "$(mineproof completion zsh)"
fish  run once:
      mineproof completion fish > ~/.config/fish/completions/mineproof.fish"""


@click.command(epilog=_SETUP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands in a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, _PROGRAM, _VARIABLE)
    # `source` also asks bash for its version, and warns if there is no bash.
    print(script.source_template % script.source_vars())


def complete(command: click.Command) -> int | None:
    """Answer the script if it asks for completions; otherwise return None."""
    instruction = os.environ.get(_VARIABLE)
    if not instruction:
        return None
    return shell_complete(command, {}, _PROGRAM, _VARIABLE, instruction)


def agent_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last of several names, separated by commas, or the path of a file."""
    from mineproof import agents

    before, comma, name = incomplete.rpartition(",")
    found = [known for known in agents.names() if known.startswith(name)]
    if found:
        return [CompletionItem(f"{before}{comma}{known}") for known in found]
    return [CompletionItem(incomplete, type="file")]


def study_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a study."""
    from mineproof.lab import studies

    return [
        CompletionItem(name, help=studies.get(name).title)
        for name in studies.names()
        if name.startswith(incomplete)
    ]
