import { Argument, type Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { helpNotes } from '../../runtime/help.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description('print what lets your shell complete hubctl with the tab key')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: Shell) => printCompletion(cli, program, shell));
  helpNotes(command, {
    prints: 'A script for the shell.\nWith --json: {"shell", "script"}.',
    exits: '0 done, 2 wrong usage',
    examples: [
      'bash:  hubctl completion bash > ~/.local/share/bash-completion/completions/hubctl',
      'zsh:   source <(hubctl completion zsh)     # in ~/.zshrc',
      'fish:  hubctl completion fish > ~/.config/fish/completions/hubctl.fish',
    ],
  });
}

export async function printCompletion(cli: Cli, program: Command, shell: Shell): Promise<void> {
  const { completionPlaces } = await import('./places.ts');
  const places = completionPlaces(program);
  const script = await scriptFor(shell, places);
  if (cli.json) cli.output.document({ shell, script });
  else cli.output.raw(script);
}

async function scriptFor(shell: Shell, places: import('./places.ts').Place[]): Promise<string> {
  if (shell === 'bash') return (await import('./bash.ts')).bashCompletion(places);
  if (shell === 'zsh') return (await import('./zsh.ts')).zshCompletion(places);
  return (await import('./fish.ts')).fishCompletion(places);
}
