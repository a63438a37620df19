import type { ApiKey, Hub, Member, PersonalToken, User as WorkspaceUser } from '@hub/contract';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { nearestWord } from '@hub/contract/nearest-word';
import type { Cli } from './cli.ts';
import { CliError, failed } from './errors.ts';
import { showTime } from './format.ts';
import { plainLine } from './terminal-text.ts';

/** The item that the user asked for. */
export interface Wanted<T> {
  /** The ID or name from the command line; undefined lets the user choose. */
  reference: string | undefined;
  /** The usage error if there is neither a reference nor a terminal. */
  missing: string;
  /** Selects the items that the command applies to. They take precedence over others of the same name. */
  matches?: (item: T) => boolean;
  /** The command to show if several items have the name. */
  command?: string;
  /** Reduces the items of one name to those that the user has to choose from. */
  collapse?: (items: T[], all: T[]) => T[];
}

/** How to find and describe the items of a kind. */
interface Kind<T> {
  /** The prefix of the IDs, and how to load one item by its ID. */
  byId?: { prefix: string; load: (id: string) => Promise<T> };
  list: () => Promise<T[]>;
  /** Returns whether a reference other than the name means this item, and no other. */
  isExactly?: (item: T, reference: string) => boolean;
  /** Returns whether a reference that is no name may mean this item. */
  isAlso?: (item: T, reference: string) => boolean;
  question: string;
  /** Describes an item in a list to choose from. */
  choice: (item: T) => string;
  /** The error if there is nothing to choose from. */
  none: () => CliError | Promise<CliError>;
  /** The error if no item has this name. */
  unknown: (reference: string, all: T[]) => CliError | Promise<CliError>;
  /** The plural of the kind, what to use instead of a name that several items have, and a line for each of them. */
  ambiguous: { plural: string; instead: string; line: (item: T) => string };
}

/** Resolves a reference to an item that is the only suitable one of this name, or lets the user choose one. */
async function resolve<T extends { id: string; name: string }>(
  cli: Cli,
  { reference, missing, matches = () => true, command, collapse = (items) => items }: Wanted<T>,
  { byId, list, isExactly, isAlso = () => false, question, choice, none, unknown, ambiguous }: Kind<T>,
): Promise<T> {
  if (reference === undefined) {
    return await cli.valueOrPrompt<T>(undefined, missing, async (prompts) => {
      const items = (await list()).filter(matches);
      if (items.length === 0) throw await none();
      const choices = items.map((item) => ({ name: choice(item), value: item, description: item.id }));
      return await prompts.choose(question, choices);
    });
  }
  if (byId && new RegExp(`^${byId.prefix}_[0-9A-Z]{26}$`).test(reference)) return await byId.load(reference);
  const all = await list();
  const exact = isExactly && all.find((item) => isExactly(item, reference));
  if (exact) return exact;
  const withName = all.filter(({ name }) => name === reference);
  const named = withName.length > 0 ? withName : all.filter((item) => isAlso(item, reference));
  const suitable = named.filter(matches);
  const candidates = collapse(suitable.length > 0 ? suitable : named, all);
  const [first, ...others] = candidates;
  if (!first) throw await unknown(reference, all);
  if (others.length === 0) return first;
  const { plural, instead, line } = ambiguous;
  const verb = withName.length > 0 ? 'are named' : 'match';
  throw new CliError('ambiguous', `${candidates.length} ${plural} ${verb} "${reference}".`, {
    hint: [
      command ? `To choose one, use its ID: ${command} ID` : `Use ${instead} instead:`,
      ...candidates.map((item) => `  ${line(item)}`),
    ].join('\n'),
    candidates: candidates.map(({ id }) => id),
  });
}

export type HubState = 'live' | 'deleted' | 'all';

/** Resolves a Hub from its ID, or from its name if only one Hub in the given state has it. */
export function resolveHub(cli: Cli, reference: string, state: HubState): Promise<Hub> {
  return hubFor(cli, reference, '', state);
}

/** Resolves the given Hub, or lets the user choose one from a list. */
export async function hubFor(cli: Cli, reference: string | undefined, missing: string, state: HubState): Promise<Hub> {
  let listed = state;
  return await resolve<Hub>(
    cli,
    { reference, missing, ...(reference !== undefined && { matches: ({ deletedAt }: Hub) => deletedAt === null }) },
    {
      byId: { prefix: 'hub', load: (hubId) => cli.api.request('GET /hubs/{hubId}', { hubId }) },
      list: () =>
        cli.api.all('GET /hubs', { query: { state } }).catch((error) => {
          // Only admins see deleted Hubs.
          if (state !== 'all' || !isForbidden(error)) throw error;
          listed = 'live';
          return cli.api.all('GET /hubs', { query: { state: 'live' } });
        }),
      question: 'Which Hub?',
      choice: ({ name }) => name,
      none: async () => failed('not_found', await noHubs(cli, state)),
      unknown: (name, all) => (state === 'live' ? notLiveHub(cli, name, all) : unknownHub(name, all, listed)),
      ambiguous: {
        plural: 'Hubs',
        instead: 'an ID',
        line: (hub) => `${hub.id}  created ${hub.createdAt}${hub.deletedAt ? ', deleted' : ''}`,
      },
    },
  );
}

function isForbidden(error: unknown): boolean {
  return error instanceof CliError && error.code === 'forbidden';
}

/** Returns the error for a name that no live Hub has. For a deleted Hub it says how to restore it. */
async function notLiveHub(cli: Cli, reference: string, live: Hub[]): Promise<CliError> {
  const allDeleted = await cli.api.all('GET /hubs', { query: { state: 'deleted' } }).catch((error) => {
    if (isForbidden(error)) return [];
    throw error;
  });
  const deleted = allDeleted.filter((hub) => hub.name === reference);
  if (deleted.length === 0) return unknownHub(reference, live, 'live');
  const commands = deleted.map((hub) => `  hubctl hubs restore ${hub.id}`);
  return new CliError('not_found', `The Hub "${reference}" was deleted.`, {
    hint: [deleted.length > 1 ? 'To restore it, run one of:' : 'To restore it:', ...commands].join('\n'),
    candidates: deleted.map((hub) => hub.id),
  });
}

function unknownHub(reference: string, hubs: Hub[], state: HubState): CliError {
  const list = state === 'live' ? 'hubctl hubs list' : `hubctl hubs list --state ${state}`;
  const kind = state === 'deleted' ? 'deleted Hub' : 'Hub';
  return failed(
    'not_found',
    `No ${kind} named "${reference}".`,
    nearestHint(reference, hubs) ?? `To list them: ${list}`,
  );
}

function nearestHint(reference: string, named: readonly { name: string }[]): string | undefined {
  const names = named.map(({ name }) => name);
  const nearest = nearestWord(reference, names);
  return nearest && `Did you mean "${plainLine(nearest)}"?`;
}

/** Returns the message for an empty list of Hubs. Only admins can create Hubs. */
export async function noHubs(cli: Cli, state: HubState): Promise<string> {
  if (state === 'deleted') return 'No deleted Hubs.';
  const isAdmin = cli.connection.kind === 'socket' || (await cli.api.request('GET /me')).role !== 'member';
  return isAdmin
    ? 'No Hubs yet. Create one: hubctl hubs create NAME'
    : 'You are not a member of any Hub yet. Ask an admin to add you.';
}

/** A user of the workspace, or a member of a Hub. */
type User = Pick<WorkspaceUser | Member, 'id' | 'name' | 'email' | 'role' | 'disabledAt'>;

export const isEnabled = (user: User): boolean => user.disabledAt === null;

/** Resolves a user from an ID, an e-mail address or a unique name, or lets the user choose one. */
export function userFor(cli: Cli, wanted: Wanted<WorkspaceUser>): Promise<WorkspaceUser> {
  const load = (userId: string) => cli.api.request('GET /users/{userId}', { userId });
  return resolve(cli, wanted, { byId: { prefix: 'usr', load }, ...usersIn(() => cli.api.all('GET /users')) });
}

/** Resolves a member of a Hub like a user. */
export function memberFor(cli: Cli, hubId: string, wanted: Wanted<Member>): Promise<Member> {
  return resolve(
    cli,
    wanted,
    usersIn(() => cli.api.all('GET /hubs/{hubId}/members', { hubId })),
  );
}

/** E-mail addresses are unique and in lower case. */
function usersIn<T extends User>(list: () => Promise<T[]>): Kind<T> {
  return {
    list,
    isExactly: ({ id, email }, reference) => id === reference || email === reference.trim().toLowerCase(),
    question: 'Which user?',
    choice: (user) => `${user.name} (${user.email}), ${user.role}${isEnabled(user) ? '' : ', disabled'}`,
    none: () => failed('not_found', 'No matching users.'),
    unknown: unknownUser,
    ambiguous: {
      plural: 'users',
      instead: 'the e-mail address',
      line: (user) => `${user.email}  ${user.id}${isEnabled(user) ? '' : ', disabled'}`,
    },
  };
}

/** Suggests a user for a partial address, a first name, or a name in a different case. */
function unknownUser(reference: string, users: User[]): CliError {
  const typed = reference.toLowerCase();
  const near =
    users.find((user) => user.name.toLowerCase() === typed) ??
    users.find((user) => user.email.startsWith(`${typed}@`)) ??
    users.find((user) => user.name.toLowerCase().split(/\s+/).includes(typed));
  return new CliError('not_found', `No user with the e-mail address, name or ID "${reference}".`, {
    hint: near ? `Did you mean ${plainLine(near.name)} (${near.email})?` : 'To list users: hubctl users list',
    candidates: near && [near.id],
  });
}

/** Returns whether a key can be rotated or replaced. */
export function canRotate(key: ApiKey): boolean {
  return key.successorId === null && !key.isHubDeleted && (key.state === 'active' || key.state === 'blocked');
}

/** Returns whether a key would be valid if its Hub had not been deleted. The key gets 404 until the Hub is restored. */
export function isHubless(key: ApiKey): boolean {
  return key.isHubDeleted && isLive(key);
}

/** Returns the state of a key for tables and lists. */
export function stateOf(key: ApiKey): string {
  return isHubless(key) ? 'hub deleted' : key.state;
}

/** Returns whether a key still authenticates, which includes a rotated key during the overlap. */
export function isLive(key: ApiKey): boolean {
  return key.state !== 'revoked' && key.state !== 'expired';
}

/** The scopes as `--scopes` accepts them: `messages,notes`. */
export function shortScopes(key: ApiKey): string {
  return key.scopes.map((scope) => scope.replace(/:create$/, '')).join(',');
}

/** Returns the end of a key's hint: the only part of a hint that differs between keys. */
export function shortHint({ hint }: Pick<ApiKey, 'hint'>): string {
  return hint.slice(KEY_PREFIX.length);
}

/**
 * Resolves a key from its ID, its hint (`…WXYZ` or `WXYZ`) or a name that only one suitable key has, or lets the user
 * choose one.
 */
export function keyFor(cli: Cli, wanted: Wanted<ApiKey>): Promise<ApiKey> {
  return resolve<ApiKey>(cli, wanted, {
    byId: { prefix: 'key', load: (keyId) => cli.api.request('GET /keys/{keyId}', { keyId }) },
    list: () => cli.api.all('GET /keys'),
    isAlso: (key, reference) => {
      const [, end] = /^(?:(?:hub_live_)?(?:…|\.{3}))?([0-9A-Za-z]{4})$/.exec(reference) ?? [];
      return end !== undefined && key.hint.endsWith(end);
    },
    question: 'Which key?',
    choice: (key) => `${key.name}, ${key.hubName}, ${key.hint}, ${stateOf(key)}`,
    none: () => failed('not_found', 'No matching keys.', 'To list all keys: hubctl keys list'),
    unknown: (name, all) => {
      const hint = nearestHint(name, all.filter(isLive)) ?? 'To list keys: hubctl keys list';
      return failed('not_found', `No key with the name, hint or ID "${name}".`, hint);
    },
    ambiguous: {
      plural: 'keys',
      instead: 'an ID',
      line: (key) => `${key.id}  ${key.hint}, ${stateOf(key)}${overlapOf(key)}, Hub ${plainLine(key.hubName)}`,
    },
  });
}

function overlapOf({ state, overlapEndsAt }: ApiKey): string {
  return state === 'rotated' && overlapEndsAt !== null ? `, works until ${showTime(overlapEndsAt)}` : '';
}

/** Resolves one of the user's personal access tokens from its ID or a unique name, or lets the user choose one. */
export function tokenFor(cli: Cli, wanted: Wanted<PersonalToken>): Promise<PersonalToken> {
  return resolve<PersonalToken>(cli, wanted, {
    list: () => cli.api.all('GET /me/tokens'),
    isExactly: ({ id }, reference) => id === reference,
    question: 'Which token?',
    choice: ({ name, hint }) => `${name}, ${hint}`,
    none: () => failed('not_found', 'No personal access tokens.'),
    unknown: (reference) => failed('not_found', `No token "${reference}".`, 'To list tokens: hubctl tokens list'),
    ambiguous: { plural: 'tokens', instead: 'an ID', line: ({ id, hint }) => `${id}  ${hint}` },
  });
}
