import { createHash } from 'node:crypto';
import { BASE62, buildToken, PERSONAL_TOKEN_PREFIX, RANDOM_CHARACTERS } from '@hub/contract';
import { pick, type Random } from '@hub/testkit';
import { word } from './text.ts';
import type { World } from './world.ts';

const USERS = 2_000;
const MEMBER_OF = 200;
const OTHERS_EACH = 5;
const OF_ONE_USER = 250;
const INVITATIONS = 500;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export interface SeededUser {
  readonly id: string;
  readonly name: string;
  /** The users whose requests are measured. */
  readonly token: string;
}

export interface SeededUsers {
  /** An admin who is a member of all Hubs. */
  readonly admin: SeededUser;
  /** A member of many Hubs. */
  readonly ada: SeededUser;
  readonly others: readonly SeededUser[];
}

/** Creates the users; the requests of the first ones are measured. */
export const isDeletedHub = (n: number): boolean => n > 20 && n % 20 === 0;

export function seedHubs(world: World, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const id = world.newId('hub');
    world.insert('hubs', {
      number: n + 1,
      id,
      name: `${word(n * 7)} ${n}`,
      conversation_id: world.newId('cnv'),
      notes_bucket_id: world.newId('bkt'),
      todos_bucket_id: world.newId('bkt'),
      created_at: world.now,
      deleted_at: isDeletedHub(n) ? world.now : null,
    });
    return id;
  });
}

export function seedUsers(world: World, hubIds: readonly string[]): SeededUsers {
  const admin = user(world, 'Grace', 'admin');
  for (const hubId of hubIds) join(world, hubId, admin);
  const ada = user(world, 'Ada', 'member');
  for (const hubId of hubIds.slice(0, MEMBER_OF)) join(world, hubId, ada);
  const others = Array.from({ length: Math.min(USERS, hubIds.length * 2) }, (_, n) => {
    const other = user(world, `${word(n)} ${word(n * 3)}`, 'member');
    const first = Math.floor(world.random() * hubIds.length);
    // Every user is a member of the first Hub.
    for (const hubId of [hubIds[0] ?? '', ...someAfter(hubIds, first)]) join(world, hubId, other);
    return other;
  });
  invite(world, admin);
  return { admin, ada, others };
}

function someAfter(hubIds: readonly string[], first: number): string[] {
  return hubIds.slice(1).slice(first, first + OTHERS_EACH);
}

function user(world: World, name: string, role: 'admin' | 'member'): SeededUser {
  const id = world.newId('usr');
  world.insert('people', {
    id,
    email: `${id.toLowerCase()}@example.org`,
    name,
    role,
    password_hash: '',
    created_at: world.now,
    last_seen_at: world.now,
  });
  const many = name === 'Ada' || name === 'Grace' ? OF_ONE_USER : 1;
  let token = '';
  for (let n = 0; n < many; n += 1) {
    token = addToken(world, id, n);
    addSession(world, id);
  }
  return { id, name, token };
}

function addToken(world: World, personId: string, n: number): string {
  const token = newToken(world.random, PERSONAL_TOKEN_PREFIX);
  world.insert('personal_tokens', {
    id: world.newId('pat'),
    token_hash: hashOf(token),
    last_four: token.slice(-4),
    person_id: personId,
    name: `token ${n}`,
    created_at: world.now,
  });
  return token;
}

function addSession(world: World, personId: string): void {
  world.insert('sessions', {
    id: world.newId('ses'),
    token_hash: crypto.getRandomValues(new Uint8Array(32)),
    person_id: personId,
    created_at: world.now,
    last_used_at: world.now,
    expires_at: world.span.until + YEAR_MS,
    address: '192.0.2.1',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
}

function join(world: World, hubId: string, { id }: { id: string }): void {
  world.insert('memberships', { hub_id: hubId, person_id: id, joined_at: world.now });
}

function invite(world: World, admin: SeededUser): void {
  for (let n = 0; n < INVITATIONS; n += 1) {
    world.insert('links', {
      id: world.newId('lnk'),
      token_hash: crypto.getRandomValues(new Uint8Array(32)),
      kind: 'invitation',
      email: `invited-${n}@example.org`,
      role: pick(world.random, ['member', 'admin']),
      created_at: world.now,
      created_by_kind: 'person',
      created_by_id: admin.id,
      created_by_name: admin.name,
      expires_at: n % 3 === 0 ? world.now : world.span.until + YEAR_MS,
    });
  }
}

export function newToken(random: Random, prefix: string): string {
  const letters = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62.charAt(Math.floor(random() * 62)));
  return buildToken(prefix, letters.join(''));
}

export function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
