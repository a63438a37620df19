import { existsSync } from 'node:fs';
import type { ApiKey, Hub, Invitation, User } from '@hub/contract';
import { AUDIT_ACTIONS } from '@hub/contract/audit-actions';
import type { Argument, Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { childNamed } from '../../runtime/command-line.ts';
import { readProfiles } from '../../runtime/profile-file.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { outboxPath } from '../post/options.ts';
import { postLabel, shownIn } from '../post/outbox.ts';
import { OutboxFolder } from '../post/outbox-folder.ts';

/** The kind of value to complete: a name from the server, a path, or one of a fixed set of words. */
export type Wanted =
  | { kind: 'words'; text: Candidate[] }
  | { kind: 'names'; source: Source }
  | { kind: 'files' | 'folders' };

interface Reading {
  /** `undefined` if nothing can be suggested, for example within free text. */
  wanted: Wanted | undefined;
  /** The part of the word before the value, such as `--hub=`. */
  prefix: string;
  /** The values of the options so far, by attribute name. They decide which server is used. */
  options: GivenOptions;
}

/**
 * Parses an unfinished command line, without the program name. The last word is the one to complete, and may be empty.
 * Follows the rules of the parser: which options take a value, and where the command names end.
 */
export function readUnfinished(program: Command, text: readonly string[]): Reading {
  const current = text.at(-1) ?? '';
  const options: Record<string, string | true> = {};
  let command = program;
  let position = 0;
  let isText = false;
  let pending: Option | undefined;
  for (const word of text.slice(0, -1)) {
    if (pending) {
      options[pending.attributeName()] = word;
      pending = undefined;
    } else if (isText || word.length < 2 || !word.startsWith('-')) {
      const child: Command | undefined = position === 0 && !isText ? childNamed(command, word) : undefined;
      // The names of commands follow `hubctl help`, too.
      const isHelp = word === 'help' && command === program && position === 0 && !isText;
      if (child) command = child;
      else if (!isHelp) position += 1;
    } else if (word === '--') {
      isText = true;
    } else {
      const [flag = word, value] = splitFlag(word);
      const option = optionNamed(program, command, flag);
      if (option?.required && value === undefined) pending = option;
      else if (option) options[option.attributeName()] = value ?? true;
    }
  }
  const at = { program, command, position };
  if (pending) return { wanted: wantedFor(pending), prefix: '', options };
  if (!isText && current.startsWith('-')) return { ...flagsFor(at, current), options };
  return { wanted: isText ? undefined : nextOf(at), prefix: '', options };
}

interface Context {
  program: Command;
  command: Command;
  /** The number of arguments before the word to complete. */
  position: number;
}

/** Completes flags, or the value of a flag in `--flag=value`. */
function flagsFor(at: Context, current: string): Omit<Reading, 'options'> {
  const [flag = current, value] = splitFlag(current);
  if (value === undefined) return { wanted: { kind: 'words', text: flagsOf(at) }, prefix: '' };
  const option = optionNamed(at.program, at.command, flag);
  return { wanted: option?.required || option?.optional ? wantedFor(option) : undefined, prefix: `${flag}=` };
}

function nextOf(context: Context): Wanted | undefined {
  const { program, command, position } = context;
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[position] ?? (last?.variadic ? last : undefined);
  if (position === 0 && command.commands.length > 0) {
    const text = command.commands.map((child) => ({
      value: child.name(),
      description: child.summary() || (child.description().split('\n')[0] ?? ''),
    }));
    const help = { value: 'help', description: 'Show help for a command' };
    return { kind: 'words', text: command === program ? [...text, help] : text };
  }
  return argument ? wantedFor(argument) : { kind: 'words', text: flagsOf(context) };
}

function flagsOf({ program, command }: Pick<Context, 'program' | 'command'>): Candidate[] {
  const flags = optionsOf(program, command).map(({ long, short, description }) => ({
    value: long ?? short ?? '',
    description,
  }));
  return [...flags, { value: '--help', description: 'Show help' }];
}

/** Options that are valid here. `post TEXT` posts a message, so it takes the options of `post message`. */
function optionsOf(program: Command, command: Command): Option[] {
  const implied = command.parent === program && command.name() === 'post' ? childNamed(command, 'message') : undefined;
  const own = command === program ? [] : [...command.options, ...(implied?.options ?? [])];
  return [...own, ...program.options].filter((option) => !option.hidden);
}

function optionNamed(program: Command, command: Command, flag: string): Option | undefined {
  return optionsOf(program, command).find((option) => option.long === flag || option.short === flag);
}

function splitFlag(word: string): [string, string?] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** Derives the kind of a value from its placeholder in the help: `<file>`, `[hub]`. */
function wantedFor(part: Argument | Option): Wanted | undefined {
  if (part.argChoices) {
    return { kind: 'words', text: part.argChoices.map((value) => ({ value, description: '' })) };
  }
  const name = 'flags' in part ? /[<[]([\w-]+)[>\]]$/.exec(part.flags)?.[1] : part.name();
  // The source of a move may be a backup.
  if (name === 'file' || name === 'source') return { kind: 'files' };
  if (name === 'dir' || name === 'target') return { kind: 'folders' };
  return name !== undefined && isSource(name) ? { kind: 'names', source: name } : undefined;
}

/** A possible next word of the command line. */
export interface Candidate {
  value: string;
  description: string;
}

/** The time limit for a completion, since the user is waiting for it. */
const TIMEOUT_MS = 2_000;

/** The options on the command line so far, by attribute name. */
type GivenOptions = Readonly<Record<string, string | true>>;

/** Sources of names, by placeholder in the help. */
const SOURCES = {
  // No choices of the option, since a newer server may know more of them.
  action: async () => AUDIT_ACTIONS.map((value) => ({ value, description: '' })),
  hub: async (cli: Cli) => hubs(await cli.api.all('GET /hubs', { query: { state: 'live' } })),
  'deleted-hub': async (cli: Cli) => hubs(await cli.api.all('GET /hubs', { query: { state: 'deleted' } })),
  user: async (cli: Cli) => users(await cli.api.all('GET /users')),
  key: async (cli: Cli) => keys(await cli.api.all('GET /keys')),
  invitation: async (cli: Cli) => invitations(await cli.api.all('GET /invitations')),
  profile: async (cli: Cli) => profiles(cli),
  'outbox-id': async (cli: Cli, { outbox }: GivenOptions) => keptPosts(cli, outbox),
} satisfies Record<string, (cli: Cli, options: GivenOptions) => Promise<Candidate[]>>;
export type Source = keyof typeof SOURCES;

function isSource(name: string): name is Source {
  return Object.hasOwn(SOURCES, name);
}

/** Returns the names of a source, or none if the server cannot be reached, since completion cannot show an error. */
export async function namesOf(cli: Cli, source: Source, options: GivenOptions): Promise<Candidate[]> {
  const given = Promise.resolve()
    .then(() => SOURCES[source](cli, options))
    .catch(() => []);
  return await Promise.race([given, cli.deps.clock.sleep(TIMEOUT_MS).then(() => [])]);
}

interface Named {
  id: string;
  name: string;
}

function hubs(all: Hub[]): Candidate[] {
  return all.map((hub) => ({ value: reference(hub, all), description: hub.name }));
}

function users(all: User[]): Candidate[] {
  return all.map(({ email, name }) => ({ value: email, description: plainLine(name) }));
}

function keys(all: ApiKey[]): Candidate[] {
  const live = all.filter(({ state }) => state !== 'revoked' && state !== 'expired');
  return live.map((key) => ({ value: reference(key, live), description: `${key.name}, ${key.hubName}, ${key.state}` }));
}

function invitations(all: Invitation[]): Candidate[] {
  return all.map(({ email, role }) => ({ value: email, description: role }));
}

function profiles(cli: Cli): Candidate[] {
  return [...readProfiles(cli.deps.env).profiles].map(([value, { url }]) => ({ value, description: url }));
}

/** The posts of an outbox. Opening an outbox creates its directory, which completion must not do. */
function keptPosts(cli: Cli, outbox: string | true | undefined): Candidate[] {
  const path = outboxPath(cli, typeof outbox === 'string' ? outbox : undefined);
  if (path === undefined || !existsSync(path)) return [];
  const posts = shownIn(new OutboxFolder(path, cli.deps));
  return posts.map((post) => ({ value: post.id, description: `${post.state}, ${postLabel(post)}` }));
}

/** Returns the name if it is unique and can be typed as is, else the ID. */
function reference(named: Named, all: readonly Named[]): string {
  const isClear = all.filter(({ name }) => name === named.name).length === 1;
  return isClear && plainLine(named.name) === named.name && !named.name.startsWith('-') ? named.name : named.id;
}
