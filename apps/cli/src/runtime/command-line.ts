import type { InferCommandArguments, Command as TypedCommand } from '@commander-js/extra-typings';
import { isBlank } from '@hub/contract/blank-text';
import {
  hasTokenFormat,
  KEY_PREFIX,
  LINK_PREFIX,
  PERSONAL_TOKEN_PREFIX,
  SESSION_PREFIX,
} from '@hub/contract/key-token';
import { type Command, type CommanderError, type CommandOptions, Help } from 'commander';
import { CliError, usageError } from './errors.ts';

const PREFIXES = [KEY_PREFIX, PERSONAL_TOKEN_PREFIX, LINK_PREFIX, SESSION_PREFIX];
const SECRET = new RegExp(`(?:${PREFIXES.join('|')})[0-9A-Za-z]+`, 'g');
const TOKEN_LENGTH = 40;

/**
 * Rejects a secret in the arguments, which other users can see in the process list and the shell keeps in its history.
 * Also rejects an incomplete secret, since a mistyped key reveals most of the real one. The message never includes the
 * secret.
 */
export function rejectSecretArguments(argv: readonly string[]): void {
  const found = argv.flatMap((argument) => [...argument.matchAll(SECRET)]).find(([secret]) => looksSecret(secret))?.[0];
  if (found === undefined) return;
  const isKey = found.startsWith(KEY_PREFIX);
  const message = `The arguments contain a ${isKey ? 'key' : 'secret'}. Nothing was sent.`;
  throw new CliError('usage', message, {
    hint:
      'Other users can see arguments, and the shell keeps them in its history. ' +
      (isKey
        ? 'Pass keys in HUB_API_KEY, with --key-file FILE, or with --key-stdin.\n' +
          'Consider the key leaked, and replace it: hubctl keys replace --key-stdin'
        : 'Consider the secret leaked, and revoke it. ' + 'Pass tokens on standard input: --with-token.'),
  });
}

/** Returns a text with the secrets of Hub shortened to their prefixes. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET, (secret) =>
    looksSecret(secret) ? `${PREFIXES.find((prefix) => secret.startsWith(prefix))}…` : secret,
  );
}

function looksSecret(text: string): boolean {
  const prefix = PREFIXES.find((each) => text.startsWith(each)) ?? '';
  const rest = text.slice(prefix.length);
  if (hasTokenFormat(prefix, text.slice(0, prefix.length + TOKEN_LENGTH))) return true;
  return rest.length >= TOKEN_LENGTH / 2 && new Set(rest).size > TOKEN_LENGTH / 4;
}

/** Returns whether the arguments contain a flag, for output before the command line is parsed. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes(flag);
}

/** The words after `post` that are not text. */
const AFTER_POST = ['help', '--help', '-h'];

/** Expands `post TEXT` to `post message TEXT`; moves the name of a kind next to `post`, where the parser expects it. */
export function expandPost(argv: readonly string[], program: Command): string[] {
  const post = firstWord(argv, program.options);
  if (argv[post] !== 'post' || AFTER_POST.includes(argv[post + 1] ?? '')) return [...argv];
  const kinds = program.commands.find((command) => command.name() === 'post')?.commands ?? [];
  const options = [program, ...kinds].flatMap((command) => command.options);
  const rest = argv.slice(post + 1);
  const first = firstWord(rest, options);
  const kind = kinds.find((command) => command.name() === rest[first])?.name() ?? 'message';
  return [...argv.slice(0, post + 1), kind, ...(kind === rest[first] ? rest.toSpliced(first, 1) : rest)];
}

/** Returns the index of the first word that is neither an option nor its value. After `--`, all words are text. */
function firstWord(argv: readonly string[], options: Command['options']): number {
  const withValue = new Set(options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short]));
  let at = 0;
  while (/^-./.test(argv[at] ?? '') && argv[at] !== '--') at += withValue.has(argv[at]) ? 2 : 1;
  return at;
}

/** Hints for words that may be part of a text or of another command, by the error of the parser and the command. */
const HINTS: readonly [error: RegExp, path: RegExp, hint: string][] = [
  [
    /option '--title'/,
    /^hubctl post message$/,
    "Notes and to-dos have titles: hubctl post note --title 'TITLE' 'TEXT'",
  ],
  [/option '/, /^hubctl post message$/, 'Put a text that starts with - after --: hubctl post -- TEXT'],
  [/option '/, /^hubctl run$/, 'Put the command after --: hubctl run -- make deploy --force'],
  [/^error: too many arguments/, /^hubctl (post|ask)/, "Put a text with spaces in quotes: 'Two words'"],
];

/** Converts an error of the parser. Unexpected values are left out: one may be a password. */
export function parsingError({ code, message }: CommanderError, command: Command): CliError {
  const path = commandPath(command);
  if (code === 'commander.help') return usageError(`\`${path}\` needs a command.`, `See: ${path} --help`);
  const hint = HINTS.find(([error, of]) => error.test(message) && of.test(path))?.[2] ?? [];
  const text = message
    .replace(/^error: /, '')
    .replace(/^(unknown option '--[\w-]+)=.*'/s, "$1'")
    .replace(/(but got \d+): .*$/s, '$1.');
  return usageError(text.charAt(0).toUpperCase() + text.slice(1), [hint, `See: ${path} --help`].flat().join('\n'));
}

/** Rejects blank values, usually caused by an unset shell variable. Ignoring them would silently drop an option. */
export function rejectBlankValues(command: Command): void {
  // The arguments of another program are its own.
  const ownArguments = commandPath(command) === 'hubctl run' ? [] : command.registeredArguments;
  const hasBlank = (given: unknown) => [given].flat().some((value) => typeof value === 'string' && isBlank(value));
  for (const [index, argument] of ownArguments.entries()) {
    if (hasBlank(command.processedArgs[index]))
      throw usageError(`The ${argument.name()} is empty.`, `See: ${commandPath(command)} --help`);
  }
  for (const option of command.options) {
    const name = option.attributeName();
    if (hasBlank(command.getOptionValue(name)) && command.getOptionValueSource(name) === 'cli')
      throw usageError(`${option.long} is empty.`, `Set a value, or remove ${option.long}.`);
  }
}

/** For options that can be repeated. */
export const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

export interface HelpNotes {
  /** A description of standard output, as text and with `--json`. */
  prints: string;
  /** An additional section with its own title. */
  more?: { title: string; text: string };
  exits?: string;
  examples: readonly string[];
}

/** The exit codes of commands that do not connect to a server. */
export const LOCAL_EXITS = '0 success, 1 error, 2 usage error';
const USUAL_EXITS = `${LOCAL_EXITS},\n3 server unreachable, 4 not allowed`;

/** Other words for commands. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ list: 'ls', issue: 'create' },
  ...{ delete: 'rm', remove: 'rm', revoke: 'rm', drop: 'rm', withdraw: 'rm' },
};

/** The arguments that several commands have. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  hub: 'Hub ID or name',
  user: 'User ID, e-mail address or name',
  key: 'Key ID, hint (…WXYZ) or name',
};

/** Adds a command with its help. `usage` is its name with those of the shared arguments, such as `add [hub] [user]`. */
export function addCommand<Usage extends string>(
  parent: Command,
  usage: Usage,
  { about, ...notes }: HelpNotes & { about: string },
  options?: CommandOptions,
): TypedCommand<InferCommandArguments<Usage>> {
  const command = parent.command(usage, options).description(about);
  for (const argument of command.registeredArguments) argument.description = ARGUMENTS[argument.name()] ?? '';
  const alias = ALIASES[command.name()];
  if (alias !== undefined) command.alias(alias);
  return helpNotes(command, notes) as unknown as TypedCommand<InferCommandArguments<Usage>>;
}

/** The options that a function adds to a command: `OptionsOf<typeof addExpiryOptions<[], NoOptions>>`. */
export type OptionsOf<Add extends (command: never) => { opts(): unknown }> = ReturnType<ReturnType<Add>['opts']>;
export type NoOptions = Record<never, never>;

/** Appends output, exit codes and examples to the help of a command. */
export function helpNotes(command: Command, { prints, more, exits = USUAL_EXITS, examples }: HelpNotes): Command {
  const sections: [title: string, text: string][] = [
    ['Output', prints],
    ...(more ? [[more.title, more.text] as [string, string]] : []),
    ['Exit codes', exits],
    ['Examples', examples.join('\n')],
    ['Global options', 'See: hubctl --help'],
  ];
  return command.addHelpText('after', ({ error }) => {
    const output = command.configureOutput();
    const width = (error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.()) ?? MAX_WIDTH;
    return sections
      .map(([title, text]) => [title, title === 'Examples' ? text : wrapped(text, width - INDENT.length)])
      .map(([title, text]) => `\n${title}:\n${text?.replaceAll(/^/gm, INDENT)}`)
      .join('\n');
  });
}

const INDENT = '  ';
const MAX_WIDTH = 100;

/** Wraps text between words. Joins source lines unless they end with a period, colon or semicolon. */
function wrapped(text: string, width: number): string {
  const paragraphs = text.replaceAll(/(?<![.;:])\n/g, ' ').split('\n');
  return paragraphs
    .map((paragraph) => {
      const indent = /^ */.exec(paragraph)?.[0] ?? '';
      const room = Math.min(width, MAX_WIDTH) - indent.length;
      return new Help().boxWrap(paragraph.slice(indent.length), room).replaceAll(/^/gm, indent);
    })
    .join('\n');
}

/** Returns the full name of a command, such as `hubctl keys issue`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

/** Returns the command with a name or an alias. */
export function childNamed({ commands }: Command, word: string): Command | undefined {
  return commands.find((child) => child.name() === word || child.aliases().includes(word));
}

/** Returns the deepest command that the arguments name. */
export function namedCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    if (word === '--') break;
    command = childNamed(command, word) ?? command;
  }
  return command;
}
