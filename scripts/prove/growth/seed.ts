import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { pick } from '@hub/testkit';
import { KEYS_UNTIL_SHARE, type SeededKey, seedKeys } from './seed-keys.ts';
import {
  FREQUENT,
  messageText,
  randomText,
  type SeededUser,
  type SeededUsers,
  seedHubs,
  seedUsers,
  World,
} from './seed-users.ts';

const ACTIONS = ['key.issued', 'key.rotated', 'key.revoked', 'key.blocked', 'hub.renamed', 'member.added'] as const;
/** A rare action that happened long ago. */
const RARE_ACTION = 'hub.exported';

interface AuditToSeed {
  keys: readonly SeededKey[];
  users: SeededUsers;
  count: number;
}

/** All entries are from the last minute, since IDs must increase. Their exact time does not matter here. */
function seedAudit(world: World, { keys, users, count }: AuditToSeed): void {
  for (let n = 0; n < count; n += 1) {
    const key = keys[n % keys.length] as SeededKey;
    const actor = n % 5_000 === 3 ? users.ada : users.admin;
    world.insert('audit_entries', {
      id: world.newId('aud'),
      at: world.now,
      actor_kind: 'user',
      actor_id: actor.id,
      actor_name: actor.name,
      address: '192.0.2.7',
      action: n % 50_000 === 11 ? RARE_ACTION : (ACTIONS[n % ACTIONS.length] ?? ''),
      hub_id: key.hubId,
      target_id: key.id,
      target_name: key.name,
      details: '{}',
    });
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BIG_SHARE = 0.25;
const RETAINED_SHARE = 0.1;
const USER_SHARE = 0.1;
const THREAD_SHARE = 0.2;
const REACTED_SHARE = 0.03;
const MENTIONING_SHARE = 0.01;
const DELETED_SHARE = 0.02;
/** Events from slightly more than the retention period, so that the first pruning run has work to do. */
const EVENTS_FROM_SHARE = 0.45;
/** One item of each of these kinds follows every twenty messages. */
const BESIDE = ['note', 'todo', 'reply'] as const;
/** Notes of the maximum length, in a separate Hub. */
const LONG_NOTES = 120;
const LONG_CHARACTERS = 200_000;
const EMOJI = ['👍', '🎉', '👀'];

type Kind = 'message' | (typeof BESIDE)[number];

interface ItemsToSeed {
  bot: string;
  hubIds: readonly string[];
  users: SeededUsers;
  keys: readonly SeededKey[];
  messages: number;
}

interface Thread {
  id: string;
  hubId: string;
  replies: number;
  lastAt: number;
}

/** Creates items in chronological order, with their events and related rows. */
function seedItems(world: World, { bot, hubIds, users, keys, messages }: ItemsToSeed) {
  const { random } = world;
  const total = messages + Math.ceil(messages / 20) * BESIDE.length + LONG_NOTES;
  const hubs = new Map(hubIds.map((id, n) => [id, { number: n + 1, seq: 0, items: 0 }]));
  const keysOf = Map.groupBy(keys, ({ hubId }) => hubId);
  const threads: Thread[] = [];
  let globalSeq = 0;
  let number = 0;

  const hubFor = (): string => {
    const dice = random();
    // The message with the longest thread.
    if (number === 0 || dice < BIG_SHARE) return hubIds[0] ?? '';
    if (dice < BIG_SHARE + RETAINED_SHARE) return hubIds[1] ?? '';
    return hubIds[2 + Math.floor(random() ** 2 * (hubIds.length - 2))] ?? '';
  };

  const threadFor = (): Thread =>
    (random() < THREAD_SHARE ? threads[0] : threads.at(-1 - Math.floor(random() * 20))) as Thread;

  const add = (kind: Kind, long?: { hubId: string; text: string }): void => {
    globalSeq += 1;
    const share = KEYS_UNTIL_SHARE + (1 - KEYS_UNTIL_SHARE) * (globalSeq / total);
    world.goTo(share);
    const thread = kind === 'reply' ? threadFor() : undefined;
    const hubId = long?.hubId ?? thread?.hubId ?? hubFor();
    const hub = hubs.get(hubId) as { number: number; seq: number; items: number };
    const byUser = kind === 'reply' || random() < USER_SHARE;
    const author = random() < 0.2 ? users.ada : pick(random, users.others);
    const key = pick(random, keysOf.get(hubId) ?? keys);
    const isDeleted = kind !== 'reply' && number > 100 && random() < DELETED_SHARE;
    const id = world.newId(kind === 'reply' ? 'msg' : PREFIX[kind]);
    hub.seq += 1;
    if (!isDeleted) hub.items += 1;
    const names = kind === 'message' && random() < MENTIONING_SHARE ? users.ada : undefined;
    const text = long?.text ?? (kind === 'message' ? messageText(random, number, messages) : randomText(random));
    world.insert('items', {
      id,
      hub_number: hub.number,
      kind,
      seq: hub.seq,
      created_at: world.now,
      author_kind: byUser ? 'user' : 'bot',
      author_id: byUser ? author.id : bot,
      key_id: byUser ? null : key.id,
      address: byUser ? null : '192.0.2.7',
      request_id: byUser ? null : 'req_seed',
      title: kind === 'note' || kind === 'todo' ? randomText(random, 2, 6) : null,
      body: names ? `${text} @${names.name}` : text,
      parent_id: thread?.id ?? null,
      deleted_at: isDeleted ? deletedAt(world) : null,
      ...(kind === 'todo' ? todoFields(world, users) : NO_TODO),
    });
    if (share > EVENTS_FROM_SHARE) {
      const event = `${kind === 'reply' ? 'message' : kind}.created`;
      world.insert('events', { hub_number: hub.number, seq: hub.seq, at: world.now, event, item_id: id });
    }
    if (thread) [thread.replies, thread.lastAt] = [thread.replies + 1, world.now];
    if (kind === 'message' && !isDeleted) {
      threads.push({ id, hubId, replies: 0, lastAt: 0 });
      if (names) {
        const reasons = { is_named: 1, is_answered: 0, is_unread: number % 2 };
        world.insert('mentions', {
          user_id: names.id,
          item_global_seq: globalSeq,
          item_id: id,
          hub_id: hubId,
          kind,
          ...reasons,
        });
      }
      if (number === 0) react(world, id, users.others);
      else if (random() < REACTED_SHARE) react(world, id, [users.ada]);
    }
  };

  for (; number < messages; number += 1) {
    add('message');
    if (number % 20 === 19) for (const kind of BESIDE) add(kind);
  }
  const long = `${FREQUENT.tenth} ${randomText(random, LONG_CHARACTERS / 4, 1)}`.slice(0, LONG_CHARACTERS);
  for (let n = 0; n < LONG_NOTES; n += 1) add('note', { hubId: hubIds[2] ?? '', text: long });
  for (const { id, replies, lastAt } of threads) {
    if (replies > 0) world.run('update items set reply_count = ?, last_reply_at = ? where id = ?', replies, lastAt, id);
  }
  for (const [id, { seq, items }] of hubs)
    world.run('update hubs set seq = ?, item_count = ? where id = ?', seq, items, id);
  world.run('update workspace set counted_global_seq = ?', globalSeq);
  return { count: globalSeq, largestThread: threads[0]?.id ?? '' };
}

const PREFIX = { message: 'msg', note: 'note', todo: 'todo' } as const;
const NO_TODO = { due_at: null, priority: null, status: null, assignee_id: null };

/** Returns a deletion time. Some items were deleted so long ago that they are due to be erased. */
function deletedAt({ now, span, random }: World): number {
  return Math.min(span.until, now + Math.floor(random() * 60 * DAY_MS));
}

function todoFields({ now, random }: World, users: SeededUsers) {
  const isAssigned = random() < 0.4;
  return {
    due_at: now + 7 * DAY_MS,
    priority: pick(random, ['LOW', 'MEDIUM', 'HIGH', 'URGENT']),
    status: random() < 0.6 ? 'done' : 'open',
    assignee_id: isAssigned ? (random() < 0.3 ? users.ada : pick(random, users.others)).id : null,
  };
}

function react(world: World, itemId: string, users: readonly SeededUser[]): void {
  for (const { id } of users) {
    world.insert('reactions', { item_id: itemId, emoji: pick(world.random, EMOJI), user_id: id, at: world.now });
  }
}

interface Scale {
  readonly messages: number;
  readonly keys: number;
  readonly hubs: number;
}

export type SeededData = ReturnType<typeof seed>;

/**
 * Writes the history of a large workspace into the database of a data folder that a server has created but is no longer
 * using. The rows are inserted directly into the server's own tables, since going through the store would take hours.
 */
export function seed(dataDir: string, scale: Scale) {
  using database = new Database(join(dataDir, 'hub.db'));
  database.exec(
    'PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON; PRAGMA cache_size = -262144',
  );
  const world = new World(database, Date.now() - 60_000);
  const fill = database.transaction(() => {
    const bot = String(database.query('select bot_id from workspace').values()[0]?.[0]);
    const hubIds = seedHubs(world, scale.hubs);
    const users = seedUsers(world, hubIds);
    const keys = seedKeys(world, { count: scale.keys, hubIds, issuer: users.admin });
    const items = seedItems(world, { bot, hubIds, users, keys, messages: scale.messages });
    seedAudit(world, { keys, users, count: scale.keys * 2 });
    return { hubIds, users, keys, items, span: world.span };
  });
  return fill();
}
