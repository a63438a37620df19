import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { ApiKey, Hub, Invitation, User } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { readProfiles } from '../../runtime/profile-file.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { outboxPath, postLabel, shownIn } from '../post/outbox.ts';
import { OutboxFolder } from '../post/outbox-folder.ts';

/** A possible next word of the command line. */
export interface Candidate {
  value: string;
  description: string;
}

/** The time limit for a completion, since the user is waiting for it. */
const TIMEOUT_MS = 2_000;

/** The options on the command line so far, by attribute name. */
export type GivenOptions = Readonly<Record<string, string | true>>;

/** Sources of names, by placeholder in the help. */
const SOURCES = {
  hub: async (cli: Cli) => hubs(await cli.api.all<Hub>('/hubs', { state: 'live' })),
  'deleted-hub': async (cli: Cli) => hubs(await cli.api.all<Hub>('/hubs', { state: 'deleted' })),
  user: async (cli: Cli) => users(await cli.api.all<User>('/people')),
  key: async (cli: Cli) => keys(await cli.api.all<ApiKey>('/keys')),
  invitation: async (cli: Cli) => invitations(await cli.api.all<Invitation>('/invitations')),
  profile: async (cli: Cli) => profiles(cli),
  'outbox-id': async (cli: Cli, { outbox }: GivenOptions) => keptPosts(cli, outbox),
} satisfies Record<string, (cli: Cli, options: GivenOptions) => Promise<Candidate[]>>;
export type Source = keyof typeof SOURCES;

export function isSource(name: string): name is Source {
  return Object.hasOwn(SOURCES, name);
}

/** Returns the names of a source, or none if the server cannot be reached, since completion cannot show an error. */
export async function namesOf(cli: Cli, source: Source, options: GivenOptions): Promise<Candidate[]> {
  const given = Promise.resolve()
    .then(() => SOURCES[source](cli, options))
    .catch(() => []);
  return await Promise.race([given, setTimeout<Candidate[]>(TIMEOUT_MS, [])]);
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
  if (!existsSync(path)) return [];
  const posts = shownIn(new OutboxFolder(path, cli.deps));
  return posts.map((post) => ({ value: post.id, description: `${post.state}, ${postLabel(post)}` }));
}

/** Returns the name if it is unique and can be typed as is, else the ID. */
function reference(named: Named, all: readonly Named[]): string {
  const isClear = all.filter(({ name }) => name === named.name).length === 1;
  return isClear && plainLine(named.name) === named.name && !named.name.startsWith('-') ? named.name : named.id;
}
