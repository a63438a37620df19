import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { type Candidate, namesOf, readUnfinished, type Wanted } from './candidates.ts';

/** Directives that make the script complete paths itself, since shells do that better. */
const DIRECTIVES = { files: ':files', folders: ':folders' } as const;

/**
 * Prints one line for each candidate. For zsh and fish, which quote values themselves, the line is
 * `value<tab>description`. For bash, it is the replacement for what bash considers the current word.
 */
export async function replyToShell(cli: Cli, program: Command, argv: readonly string[]): Promise<void> {
  const [shell, ...rest] = argv;
  if (shell === 'bash') return await replyToBash(cli, program, rest);
  const { wanted, prefix, candidates } = await candidatesFor(cli, program, rest);
  if (wanted?.kind === 'files' || wanted?.kind === 'folders') return cli.output.raw(`${DIRECTIVES[wanted.kind]}\n`);
  for (const { value, description } of candidates) cli.output.raw(`${prefix}${value}\t${plainLine(description)}\n`);
}

async function replyToBash(cli: Cli, program: Command, [breaks = '', line = '']: string[]): Promise<void> {
  const typed = readBashLine(line, breaks);
  const { wanted, prefix, candidates } = await candidatesFor(cli, program, typed.text.slice(1));
  if (wanted?.kind === 'files' || wanted?.kind === 'folders') return cli.output.raw(`${DIRECTIVES[wanted.kind]}\n`);
  const current = typed.text.at(-1) ?? '';
  for (const { value } of candidates) {
    const word = prefix + value;
    if (word.startsWith(current)) cli.output.raw(`${bashWord(word.slice(typed.fixed), typed.quote)}\n`);
  }
}

interface Found {
  wanted: Wanted | undefined;
  prefix: string;
  candidates: Candidate[];
}

async function candidatesFor(cli: Cli, program: Command, text: readonly string[]): Promise<Found> {
  const { wanted, prefix, options: typed } = readUnfinished(program, text);
  if (wanted?.kind !== 'names') return { wanted, prefix, candidates: wanted?.kind === 'words' ? wanted.text : [] };
  // The shell passes the line as it was typed, with `~`.
  const expanded = (value: string | true) =>
    value === true ? value : value.replace(/^~(?=\/|$)/, () => cli.deps.env.HOME ?? '~');
  const options = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, expanded(value)]));
  const { profile, dataDir, local } = options;
  cli.configure({
    json: false,
    color: false,
    profile: textOf(profile),
    dataDir: textOf(dataDir),
    local: local !== undefined,
  });
  return { wanted, prefix, candidates: await namesOf(cli, wanted.source, options) };
}

function textOf(value: string | true | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The quote that is open at the cursor: `"`, `'` or none. */
type Quote = '"' | "'" | '';

interface BashLine {
  /** The words without their quotes. The last one is the one to complete. */
  text: string[];
  quote: Quote;
  /** How many leading characters of the last word bash considers an earlier word, and so does not replace. */
  fixed: number;
}

/** Characters that end a bash word but belong to the next one (rl_special_prefixes of readline). */
const PREFIXES = '$@';

/** Splits a line up to the cursor as bash does. `breaks` is COMP_WORDBREAKS: further characters that end a word. */
function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: Quote = '';
  let fixed = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote === '' && (character === ' ' || character === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      fixed = 0;
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
      // To bash, the current word starts after the quote.
      fixed = word.length;
    } else if (character === quote) {
      quote = '';
    } else if (character === '\\' && quote !== "'") {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else {
      word = (word ?? '') + character;
      if (quote === '' && breaks.includes(character)) fixed = word.length - (PREFIXES.includes(character) ? 1 : 0);
    }
  }
  return { text: [...words, word ?? ''], quote, fixed };
}

/** Quotes a word for bash, given the quote that is already open. */
function bashWord(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replaceAll(/["\\$`]/g, '\\$&');
  return text.replaceAll(/[^\w./:@%+,=\u0080-\uffff-]/g, '\\$&');
}
