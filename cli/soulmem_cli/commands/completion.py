"""``soulmem completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from soulmem_cli.options import without_mind


@click.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@without_mind("The script is the same for every mind.")
def command(shell: str) -> None:
    """Print the script that completes soulmem's commands and options in SHELL.

    \b
    Put one of these lines into the shell's start-up file:
      bash (~/.bashrc)                     eval "$(soulmem completion bash)"
      zsh (~/.zshrc)                       eval "$(soulmem completion zsh)"
      fish (~/.config/fish/config.fish)    soulmem completion fish | source
    """
    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(click.get_current_context().find_root().command, {}, "soulmem", "_SOULMEM_COMPLETE").source())
