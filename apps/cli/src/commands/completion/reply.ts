import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { readUnfinished, type Wanted } from './candidates.ts';
import { type Candidate, namesOf } from './names.ts';
import { bashWord, readBashLine } from './shell-text.ts';

/** Directives that make the script complete paths itself, since shells do that better. */
const DIRECTIVES = { files: ':files', folders: ':folders' } as const;

/**
 * Prints one line for each candidate. For zsh and fish, which quote values themselves, the line is
 * `value<tab>description`. For bash, it is the replacement for what bash considers the current word.
 */
export async function replyToShell(cli: Cli, program: Command, argv: readonly string[]): Promise<void> {
  const [shell, ...rest] = argv;
  if (shell === 'bash') return await replyToBash(cli, program, rest);
  const { wanted, prefix, found } = await candidatesFor(cli, program, rest);
  if (wanted?.kind === 'files' || wanted?.kind === 'folders') return cli.output.raw(`${DIRECTIVES[wanted.kind]}\n`);
  for (const { value, description } of found) cli.output.raw(`${prefix}${value}\t${plainLine(description)}\n`);
}

async function replyToBash(cli: Cli, program: Command, [breaks = '', line = '']: string[]): Promise<void> {
  const typed = readBashLine(line, breaks);
  const { wanted, prefix, found } = await candidatesFor(cli, program, typed.text.slice(1));
  if (wanted?.kind === 'files' || wanted?.kind === 'folders') return cli.output.raw(`${DIRECTIVES[wanted.kind]}\n`);
  const current = typed.text.at(-1) ?? '';
  for (const { value } of found) {
    const word = prefix + value;
    if (word.startsWith(current)) cli.output.raw(`${bashWord(word.slice(typed.fixed), typed.quote)}\n`);
  }
}

interface Found {
  wanted: Wanted | undefined;
  prefix: string;
  found: Candidate[];
}

async function candidatesFor(cli: Cli, program: Command, text: readonly string[]): Promise<Found> {
  const { wanted, prefix, options } = readUnfinished(program, text);
  if (wanted?.kind !== 'names') return { wanted, prefix, found: wanted?.kind === 'words' ? wanted.text : [] };
  const { profile, dataDir, local } = options;
  cli.configure({
    json: false,
    color: false,
    profile: textOf(profile),
    dataDir: textOf(dataDir),
    local: local !== undefined,
  });
  return { wanted, prefix, found: await namesOf(cli, wanted.source) };
}

function textOf(value: string | true | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
