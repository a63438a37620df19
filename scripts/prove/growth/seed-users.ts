import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { newToken, pick, type Random, seeded } from '@hub/testkit';
import { createIds, type IdPrefix } from '../../../apps/api/src/platform/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HISTORY_DAYS = 90;
const EVENT_DAYS = 7;
/** The fraction of everything that is older than the retention period of events. */
const OLD_SHARE = 0.5;

type Row = Readonly<Record<string, SQLQueryBindings>>;

/** The history of a workspace, written directly into the tables of its database. */
export class World {
  readonly random: Random = seeded(20_261_121);
  readonly span: { from: number; weekAgo: number; until: number };
  readonly #database: Database;
  readonly #inserts = new Map<string, (row: Row) => void>();
  #now: number;
  readonly newId: (prefix: IdPrefix) => string;

  constructor(database: Database, until: number) {
    this.#database = database;
    this.span = { from: until - HISTORY_DAYS * DAY_MS, weekAgo: until - EVENT_DAYS * DAY_MS, until };
    this.#now = this.span.from;
    const clock = { now: () => this.#now, monotonic: () => 0, sinceBoot: () => null, sleep: async () => {} };
    this.newId = createIds(clock, { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });
  }

  get now(): number {
    return this.#now;
  }

  /** Moves to the time by which this fraction of everything had been created. Time never goes backward. */
  goTo(share: number): void {
    const { from, weekAgo, until } = this.span;
    const at =
      share < OLD_SHARE
        ? from + (share / OLD_SHARE) * (weekAgo - from)
        : weekAgo + ((share - OLD_SHARE) / (1 - OLD_SHARE)) * (until - weekAgo);
    this.#now = Math.max(this.#now, Math.floor(at));
  }

  /** Inserts rows into a table; all must have the same columns. */
  insert(table: string, row: Row): void {
    const known = this.#inserts.get(table) ?? this.#prepare(table, Object.keys(row));
    this.#inserts.set(table, known);
    known(row);
  }

  run(sql: string, ...bindings: SQLQueryBindings[]): void {
    this.#database.query(sql).run(...bindings);
  }

  #prepare(table: string, columns: readonly string[]): (row: Row) => void {
    const placeholders = columns.map(() => '?').join(', ');
    const statement = this.#database.query(`insert into ${table} (${columns.join(', ')}) values (${placeholders})`);
    return (row) => void statement.run(...columns.map((column) => row[column] ?? null));
  }
}

const SYLLABLES = [
  'ba',
  'den',
  'fo',
  'gur',
  'hi',
  'jal',
  'ke',
  'lor',
  'mi',
  'nas',
  'po',
  'rin',
  'su',
  'tev',
  'wo',
  'zan',
];
const VOCABULARY = 20_000;
const MIN_WORD_COUNT = 8;
const EXTRA_WORD_COUNT = 72;

/** Words that occur in every tenth and every third message, as is typical for posts from programs. */
export const FREQUENT = { tenth: 'deployed', third: 'build' } as const;
/** A word that occurs in only this many messages. */
export const RARE = { word: 'quetzalcoatlus', messages: 5 } as const;

/** Returns a unique word for each number. */
export function word(number: number): string {
  let text = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}

/** Returns words distributed as in real text: a few are very common, but most are rare (Zipf's law). */
export function randomText(random: Random, min = MIN_WORD_COUNT, more = EXTRA_WORD_COUNT): string {
  const count = min + Math.floor(random() * more);
  return Array.from({ length: count }, () => word(Math.floor(VOCABULARY ** random()))).join(' ');
}

/** Returns the text of the message with this number. */
export function messageText(random: Random, number: number, messages: number): string {
  const words = [randomText(random)];
  if (number % 10 === 0) words.push(FREQUENT.tenth);
  if (number % 3 === 0) words.unshift(FREQUENT.third);
  if (number % Math.floor(messages / RARE.messages) === 1) words.push(RARE.word);
  return `${words.join(' ')}${pick(random, ['.', '!', '', ' (#4711)'])}`;
}

const USERS = 2_000;
const MEMBER_OF = 200;
const OTHERS_EACH = 5;
const OF_ONE_USER = 250;
const INVITATIONS = 500;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export interface SeededUser {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

export interface SeededUsers {
  /** An admin who is a member of all Hubs. */
  readonly admin: SeededUser;
  /** A member of many Hubs. */
  readonly ada: SeededUser;
  readonly others: readonly SeededUser[];
}

export const isDeletedHub = (n: number): boolean => n > 20 && n % 20 === 0;

export function seedHubs(world: World, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const id = world.newId('hub');
    world.insert('hubs', {
      number: n + 1,
      id,
      name: `${word(n * 7)} ${n}`,
      normalized_name: id,
      conversation_id: world.newId('cnv'),
      notes_bucket_id: world.newId('bkt'),
      todos_bucket_id: world.newId('bkt'),
      created_at: world.now,
      deleted_at: isDeletedHub(n) ? world.now : null,
    });
    return id;
  });
}

/** Creates the users. Requests are measured as the first two. */
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
  world.insert('users', {
    id,
    email: `${id.toLowerCase()}@example.org`,
    name,
    // The forms in which names are unique; no one is renamed here.
    caseless_name: id,
    skeleton_name: id,
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

function addToken(world: World, userId: string, n: number): string {
  const token = newToken(world.random, PERSONAL_TOKEN_PREFIX);
  world.insert('personal_tokens', {
    id: world.newId('pat'),
    token_hash: hashOf(token),
    last_four: token.slice(-4),
    user_id: userId,
    name: `token ${n}`,
    created_at: world.now,
  });
  return token;
}

function addSession(world: World, userId: string): void {
  world.insert('sessions', {
    id: world.newId('ses'),
    token_hash: crypto.getRandomValues(new Uint8Array(32)),
    user_id: userId,
    created_at: world.now,
    last_used_at: world.now,
    expires_at: world.span.until + YEAR_MS,
    address: '192.0.2.1',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
}

function join(world: World, hubId: string, { id }: { id: string }): void {
  world.insert('memberships', { hub_id: hubId, user_id: id, joined_at: world.now });
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
      created_by_kind: 'user',
      created_by_id: admin.id,
      created_by_name: admin.name,
      expires_at: n % 3 === 0 ? world.now : world.span.until + YEAR_MS,
    });
  }
}

export function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
