import type { ApiKey, Hub, Member, User as WorkspaceUser } from '@hub/contract';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { nearestWord } from '@hub/contract/nearest-word';
import type { Cli } from './cli.ts';
import type { Prompts } from './deps.ts';
import { CliError, failed } from './errors.ts';
import { showTime } from './format.ts';
import { plainLine } from './terminal-text.ts';

/** How to find and describe the items of a kind. */
interface Kind<T> {
  /** The noun, for messages. */
  noun: string;
  /** The prefix of the IDs, and how to load one item by its ID. */
  byId?: { prefix: string; load: (id: string) => Promise<T> };
  list: () => Promise<T[]>;
  /** Selects the items that the command applies to. They take precedence over others of the same name. */
  matches?: ((item: T) => boolean) | undefined;
  /** Returns whether a reference other than the name means this item. */
  isAlso?: (item: T, reference: string) => boolean;
  /** Describes an item in a list to choose from. */
  line: (item: T) => string;
  /** The message if there is nothing to choose from. */
  none?: () => Promise<string>;
  /** The command that lists the items. */
  listCommand: string;
}

/** Resolves an ID, or a name that only one suitable item has. Without a reference, lets the user choose one. */
async function resolve<T extends { id: string; name: string }>(
  cli: Cli,
  reference: string | undefined,
  { noun, byId, list, matches = () => true, isAlso = () => false, line, none, listCommand }: Kind<T>,
): Promise<T> {
  if (reference === undefined) {
    const option = cli.command?.options.find(({ long }) => long === `--${noun.toLowerCase()}`);
    const choose = async (prompts: Prompts) => {
      const items = (await list()).filter(matches);
      if (items.length === 0) throw failed('not_found', (await none?.()) ?? `No matching ${noun}s.`);
      const choices = items.map((item) => ({ name: line(item), value: item, description: item.id }));
      return await prompts.choose(`Which ${noun}?`, choices);
    };
    return await cli.valueOrPrompt<T>(undefined, choose, option?.long);
  }
  if (byId && new RegExp(`^${byId.prefix}_[0-9A-Z]{26}$`).test(reference)) return await byId.load(reference);
  const all = await list();
  const withName = all.filter(({ id, name }) => name === reference || id === reference);
  const named = withName.length > 0 ? withName : all.filter((item) => isAlso(item, reference));
  const suitable = named.filter(matches);
  const candidates = suitable.length > 0 ? suitable : named;
  const [first, ...others] = candidates;
  if (!first) {
    const names = all.filter(matches).map(({ name }) => name);
    const nearest = nearestWord(reference, names);
    const hint = nearest ? `Did you mean "${plainLine(nearest)}"?` : `To list them: ${listCommand}`;
    throw failed('not_found', `There is no ${noun} "${reference}".`, hint);
  }
  if (others.length === 0) return first;
  throw new CliError('ambiguous', `${candidates.length} ${noun}s match "${reference}".`, {
    hint: ['Use the ID instead:', ...candidates.map((item) => `  ${item.id}  ${plainLine(line(item))}`)].join('\n'),
    candidates: candidates.map(({ id }) => id),
  });
}

type HubState = 'live' | 'deleted' | 'all';

/** Resolves a Hub from its ID, or from its name if only one Hub in the given state has it. */
export async function hubFor(cli: Cli, reference: string | undefined, state: HubState = 'live'): Promise<Hub> {
  return await resolve<Hub>(cli, reference, {
    noun: state === 'deleted' ? 'deleted Hub' : 'Hub',
    byId: { prefix: 'hub', load: (hubId) => cli.api.request('GET /hubs/{hubId}', { hubId }) },
    list: () =>
      cli.api.all('GET /hubs', { query: { state } }).catch((error) => {
        // Only admins see deleted Hubs.
        if (state !== 'all' || !(error instanceof CliError && error.code === 'forbidden')) throw error;
        return cli.api.all('GET /hubs', { query: { state: 'live' } });
      }),
    matches: state === 'all' && reference !== undefined ? ({ deletedAt }) => deletedAt === null : undefined,
    line: ({ name, deletedAt }) => `${name}${deletedAt ? `, deleted ${showTime(deletedAt)}` : ''}`,
    none: () => noHubs(cli, state),
    listCommand: `hubctl hubs list${state === 'deleted' ? ' --state deleted' : ''}`,
  });
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
export function userFor(
  cli: Cli,
  reference: string | undefined,
  matches?: (user: WorkspaceUser) => boolean,
): Promise<WorkspaceUser> {
  const load = (userId: string) => cli.api.request('GET /users/{userId}', { userId });
  const users = usersIn(() => cli.api.all('GET /users'));
  return resolve(cli, reference, { ...users, matches, byId: { prefix: 'usr', load } });
}

/** Resolves a member of a Hub like a user. */
export function memberFor(cli: Cli, hubId: string, reference: string | undefined): Promise<Member> {
  const members = usersIn(() => cli.api.all('GET /hubs/{hubId}/members', { hubId }));
  return resolve(cli, reference, { ...members, noun: 'member', listCommand: `hubctl hubs members list ${hubId}` });
}

/** E-mail addresses are unique and in lower case. */
function usersIn<T extends User>(list: () => Promise<T[]>): Kind<T> {
  return {
    noun: 'user',
    list,
    isAlso: ({ email }, reference) => email === reference.trim().toLowerCase(),
    line: (user) => `${user.name} (${user.email}), ${user.role}${isEnabled(user) ? '' : ', disabled'}`,
    listCommand: 'hubctl users list',
  };
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

/** Resolves a key from its ID, its hint (`…WXYZ`, `WXYZ`) or the name of one suitable key, or lets the user choose. */
export function keyFor(cli: Cli, reference: string | undefined, matches?: (key: ApiKey) => boolean): Promise<ApiKey> {
  return resolve<ApiKey>(cli, reference, {
    noun: 'key',
    byId: { prefix: 'key', load: (keyId) => cli.api.request('GET /keys/{keyId}', { keyId }) },
    list: () => cli.api.all('GET /keys'),
    matches,
    isAlso: ({ hint }, reference) => {
      const [, end] = /^(?:(?:hub_live_)?(?:…|\.{3}))?([0-9A-Za-z]{4})$/.exec(reference) ?? [];
      return end !== undefined && hint.endsWith(end);
    },
    line: (key) => `${key.name}, ${key.hubName}, ${key.hint}, ${stateOf(key)}`,
    listCommand: 'hubctl keys list',
  });
}
