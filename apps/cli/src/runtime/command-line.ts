import { isBlank } from '@hub/contract/blank-text';
import {
  hasTokenFormat,
  KEY_PREFIX,
  LINK_PREFIX,
  PERSONAL_TOKEN_PREFIX,
  SESSION_PREFIX,
} from '@hub/contract/key-token';
import { type Command, type CommandOptions, Help } from 'commander';
import type { Deps } from './deps.ts';
import { CliError, convertHint, usageError } from './errors.ts';

export const POST_KINDS = ['message', 'note', 'todo'];
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
        : 'Consider the secret leaked, and revoke it. ' +
          'Pass passwords and tokens on standard input: --password-stdin, --with-token.'),
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

/** Other words for commands, by the path of the command. They are neither listed nor completed. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'hubs create': ['new'],
  'hubs edit': ['change'],
  'hubs delete': ['rm', 'remove'],
  'hubs members remove': ['rm', 'delete'],
  'users create': ['new'],
  'keys issue': ['create', 'new'],
  'outbox drop': ['rm', 'delete', 'remove'],
  'users invitations withdraw': ['rm', 'delete', 'remove', 'revoke'],
  'keys revoke': ['rm', 'delete', 'remove'],
  'tokens create': ['new'],
  'tokens revoke': ['rm', 'delete', 'remove'],
};

/** Returns the other words for a command. Each `list` is also `ls`. */
export function aliasesOf(command: Command): readonly string[] {
  const others = ALIASES[commandPath(command).replace(/^hubctl /, '')] ?? [];
  return command.name() === 'list' ? ['ls', ...others] : others;
}

/** Replaces aliases of commands by their names. */
export function expandAliases(argv: readonly string[], program: Command): string[] {
  const takesValue = valueOptions(program);
  const words = [...argv];
  let command = program;
  let from = 0;
  while (command.commands.length > 0) {
    const index = firstWord(words, takesValue, from);
    const word = index === undefined ? '' : (words[index] ?? '');
    const child: Command | undefined =
      command.commands.find((candidate) => candidate.name() === word) ??
      command.commands.find((candidate) => aliasesOf(candidate).includes(word));
    if (index === undefined || child === undefined) break;
    words[index] = child.name();
    command = child;
    from = index + 1;
  }
  return words;
}

/**
 * Completes `--truncate` to `--truncate=head`. Otherwise the parser would take a text after it for its value, unless the
 * value were required.
 */
function expandTruncate(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.flatMap((word, index) => {
    const isOption = end < 0 || index < end;
    if (isOption && word === '--truncate') return isPartOfText(argv[index + 1]) ? [] : ['--truncate=head'];
    if (isOption && index > 0 && argv[index - 1] === '--truncate' && isPartOfText(word)) return [`--truncate=${word}`];
    return [word];
  });
}

const isPartOfText = (word: string | undefined) => word === 'head' || word === 'tail';

/**
 * Expands `hubctl post TEXT` to `hubctl post message TEXT`. The first word after `post` that is not an option decides:
 * the name of a kind is moved next to `post`, where the parser expects it. After `--` every word is text.
 */
export function expandPost(argv: readonly string[], program: Command): string[] {
  const takesValue = valueOptions(program);
  const post = firstWord(argv, takesValue);
  if (post === undefined || argv[post] !== 'post') return [...argv];
  const [before, rest] = [argv.slice(0, post + 1), expandTruncate(argv.slice(post + 1))];
  const index = firstWord(rest, takesValue);
  const word = index === undefined ? undefined : rest[index];
  if (index !== undefined && word !== undefined && POST_KINDS.includes(word)) {
    return [...before, word, ...rest.toSpliced(index, 1)];
  }
  if (word === 'help') {
    throw usageError(
      '`hubctl post help` is ambiguous.',
      'For help: hubctl post --help. To post the word: hubctl post -- help',
    );
  }
  const asksForHelp = word === undefined && (hasFlag(rest, '--help') || hasFlag(rest, '-h'));
  return asksForHelp ? [...argv] : [...before, 'message', ...rest];
}

/**
 * Expands aliases, and `hubctl help COMMAND` to `hubctl COMMAND --help`, at any depth. Removes `--help` after an unknown command, for
 * which the parser would show the help of the group: without it, it reports the command.
 */
export function expandHelp(argv: readonly string[], program: Command): string[] {
  const first = firstWord(argv, valueOptions(program)) ?? -1;
  const words = expandAliases(argv[first] === 'help' ? [...argv.toSpliced(first, 1), '--help'] : argv, program);
  return namesUnknownCommand(words, program) ? words.filter((word) => word !== '--help' && word !== '-h') : words;
}

function namesUnknownCommand(argv: readonly string[], program: Command): boolean {
  const takesValue = valueOptions(program);
  let [command, from] = [program, 0];
  while (command.commands.length > 0) {
    const index = firstWord(argv, takesValue, from);
    const word = index === undefined ? undefined : argv[index];
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (index === undefined || child === undefined) return word !== undefined && word !== 'help';
    [command, from] = [child, index + 1];
  }
  return false;
}

/** Returns the index of the first word that is neither an option nor its value; undefined if `--` comes first. */
function firstWord(argv: readonly string[], takesValue: ReadonlySet<string>, from = 0): number | undefined {
  for (let index = from; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '--') return undefined;
    if (argument.length < 2 || !argument.startsWith('-')) return index;
    if (takesValue.has(argument)) index += 1;
  }
  return undefined;
}

/** Returns the options of the program, `post` and its kinds that take the next argument as their value. */
function valueOptions(program: Command): ReadonlySet<string> {
  const post = program.commands.find((command) => command.name() === 'post');
  const commands = [program, ...(post ? [post, ...post.commands] : [])];
  const options = commands.flatMap((command) => command.options).filter((option) => option.required);
  return new Set(options.flatMap((option) => [option.short, option.long]).filter((flag) => flag !== undefined));
}

/** Rejects arguments that come out of a run: bytes that are not UTF-8, and blank values. */
export function rejectWrongValues(command: Command, { hasForeignArguments }: Pick<Deps, 'hasForeignArguments'>): void {
  if (hasForeignArguments) throw usageError('An argument is not UTF-8 text.', convertHint('ISO-8859-1'));
  rejectBlankValues(command);
}

/** Rejects blank values, usually caused by an unset shell variable. Ignoring them would silently drop an option. */
export function rejectBlankValues(command: Command): void {
  // The arguments of another program are its own.
  const ownArguments = commandPath(command) === 'hubctl run' ? [] : command.registeredArguments;
  for (const [index, argument] of ownArguments.entries()) {
    const given: unknown = command.processedArgs[index];
    const isEmpty = [given].flat().some((value) => typeof value === 'string' && isBlank(value));
    if (isEmpty) throw usageError(`The ${argument.name()} is empty.`, `See: ${commandPath(command)} --help`);
  }
  for (const option of command.options) {
    const name = option.attributeName();
    const isEmpty = [command.getOptionValue(name)].flat().some((value) => typeof value === 'string' && isBlank(value));
    if (isEmpty && command.getOptionValueSource(name) === 'cli') {
      throw usageError(`${option.long} is empty.`, `Set a value, or remove ${option.long}.`);
    }
  }
}

interface HelpNotes {
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

/** Adds a command with its help. */
export function addCommand(
  parent: Command,
  name: string,
  { about, ...notes }: HelpNotes & { about: string },
  options?: CommandOptions,
): Command {
  return helpNotes(parent.command(name, options).description(about), notes);
}

/** Appends output, exit codes and examples to the help of a command. */
export function helpNotes(command: Command, { prints, more, exits = USUAL_EXITS, examples }: HelpNotes): Command {
  const aliases = aliasesOf(command);
  const sections: [title: string, text: string][] = [
    ...(aliases.length > 0 ? [['Aliases', aliases.join(', ')] as [string, string]] : []),
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

/** Returns the deepest command that the arguments name. */
export function namedCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    if (word === '--') break;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next) command = next;
  }
  return command;
}
