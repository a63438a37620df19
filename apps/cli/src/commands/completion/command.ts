import { Argument, type Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { helpNotes } from '../../runtime/help.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description('Print a tab completion script for your shell')
    .addArgument(new Argument('<shell>', 'Your shell').choices(SHELLS))
    .action((shell: Shell) => printCompletion(cli, shell));
  helpNotes(command, {
    prints: 'A script for the shell.\nWith --json: {"shell", "script"}.',
    more: {
      title: 'Completions',
      text:
        'Commands, options, and the names of Hubs, users, keys, profiles and invitations, which the script\n' +
        'looks up with hubctl.',
    },
    exits: '0 success, 2 usage error',
    examples: [
      'bash:  hubctl completion bash > ~/.local/share/bash-completion/completions/hubctl',
      'zsh:   source <(hubctl completion zsh)     # in ~/.zshrc, after compinit',
      'fish:  hubctl completion fish > ~/.config/fish/completions/hubctl.fish',
    ],
  });
}

async function printCompletion(cli: Cli, shell: Shell): Promise<void> {
  const script = await scriptFor(shell);
  if (cli.json) cli.output.document({ shell, script });
  else cli.output.raw(script);
}

async function scriptFor(shell: Shell): Promise<string> {
  if (shell === 'bash') return (await import('./bash.ts')).BASH_COMPLETION;
  if (shell === 'zsh') return (await import('./zsh.ts')).ZSH_COMPLETION;
  return (await import('./fish.ts')).FISH_COMPLETION;
}
