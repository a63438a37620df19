import type { IssuedKey, Removal, WireKind } from '@hub/contract';
import { type HubServer, pick, type Random, type Team, type TestUser } from '@hub/testkit';
import { type Latencies, marked } from './latencies.ts';
import type { ItemAtHand, Ledger } from './ledger.ts';

export const LONG_NOTE_CHARACTERS = 100_000;
/** Each removal covers the posts that a key made within this time before the removal. */
const REMOVED_MS = 2_000;
const BETWEEN_REMOVALS_MS = 3_000;
const UNTIL_UNDO_MS = 400;

interface LoadDeps {
  run: HubServer;
  team: Team;
  ledger: Ledger;
  latencies: Latencies;
  random: Random;
}

interface Created {
  data: { id: string };
}

/** Simulates the work of a team and its programs, at a steady pace regardless of whether the server keeps up. */
export class Load {
  readonly #deps: LoadDeps;
  readonly #running = new Set<Promise<unknown>>();
  readonly #loops: Promise<void>[] = [];
  #serial = 0;
  #isOver = false;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
  }

  /** Half of the actions are posts with keys; the other half are user actions. */
  start(actionsPerSecond: number): void {
    this.#paced(actionsPerSecond / 2, () => this.#post());
    this.#paced(actionsPerSecond / 2, () => act(this.#deps));
  }

  /** Posts long notes to the Hub with few followers, for this many seconds. */
  async longNotes(perSecond: number, seconds: number): Promise<void> {
    const { heavyHubId, heavyKeys } = this.#deps.team;
    const text = 'x'.repeat(LONG_NOTE_CHARACTERS);
    const end = performance.now() + seconds * 1000;
    for (let n = 0; ; n += 1) {
      const dueMs = end - seconds * 1000 + (n / perSecond) * 1000;
      if (dueMs >= end || this.#isOver) break;
      await Bun.sleep(Math.max(1, dueMs - performance.now()));
      const key = heavyKeys[n % heavyKeys.length] as IssuedKey;
      this.#run(this.#create(key, heavyHubId, 'notes', (title) => ({ title, content: text })));
    }
    await Bun.sleep(Math.max(0, end - performance.now()));
  }

  /** From time to time, removes and restores a key's posts, and renames Hubs. */
  administer(): void {
    this.#loops.push(this.#administer());
  }

  /** Resolves once every request has received its response. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    await Promise.all(this.#running);
  }

  #paced(perSecond: number, work: () => Promise<unknown>): void {
    const loop = async (): Promise<void> => {
      const start = performance.now();
      for (let n = 0; !this.#isOver; n += 1) {
        await Bun.sleep(Math.max(1, start + (n / perSecond) * 1000 - performance.now()));
        this.#run(work());
      }
    };
    this.#loops.push(loop());
  }

  #run(work: Promise<unknown>): void {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #post(): Promise<void> {
    const { team, random } = this.#deps;
    this.#serial += 1;
    const key = team.keys[this.#serial % team.keys.length] as IssuedKey;
    const filler = 'word '.repeat(1 + Math.floor(random() * 60));
    const [room, body] = pick<[string, (text: string) => object]>(random, [
      ['messages', (text) => ({ text })],
      ['messages', (text) => ({ text })],
      ['messages', (text) => ({ text, blocks: [{ type: 'paragraph', data: { text } }] })],
      ['notes', (title) => ({ title, content: filler })],
      ['todos', (title) => ({ title, dueDate: '2030-01-02T03:04:05+01:00' })],
    ]);
    await this.#create(key, key.hubId, room, (text) => body(`${text} ${filler}`.slice(0, 200).trim()));
  }

  async #create(key: IssuedKey, hubId: string, room: string, body: (mark: string) => object): Promise<void> {
    const { ledger, latencies } = this.#deps;
    const sent = body(marked(latencies.send(), 'Posted by a program'));
    const response = await ledger.send<Created>('POST', `/public/v1/${room}`, key.key, sent);
    const kind = room.slice(0, -1) as WireKind;
    if (response) ledger.acknowledge({ id: response.data.id, hubId, kind, version: 1 });
  }

  async #administer(): Promise<void> {
    const { run, team, ledger, random } = this.#deps;
    while (!this.#isOver) {
      await Bun.sleep(BETWEEN_REMOVALS_MS * random());
      const key = pick(random, team.keys);
      try {
        const from = new Date(Date.now() - REMOVED_MS).toISOString();
        const removal = await run.admin.call<Removal>('POST', `/keys/${key.id}/removals`, { from });
        await Bun.sleep(UNTIL_UNDO_MS);
        await run.admin.call('DELETE', `/keys/${key.id}/removals/${removal.id}`);
        await run.admin.call('PATCH', `/hubs/${key.hubId}`, { name: `Team ${random()}` });
      } catch (error) {
        if (!run.isRestarting) ledger.rejected.push(String(error));
      }
    }
  }
}

const EMOJI = ['👍', '🎉', '👀'] as const;
/** The number of users who take the same action on an item at the same time. */
const MAX_AT_ONCE = 3;
const CREATION_SHARE = 0.25;
const DELETION_SHARE = 0.06;

interface ActContext {
  team: Team;
  ledger: Ledger;
  random: Random;
}

/** A single request from one user. */
type Action = (user: TestUser) => Promise<unknown>;

/** An action by team members, often by several of them on the same item at the same time. */
export async function act(context: ActContext): Promise<void> {
  const { team, ledger, random } = context;
  const hubId = pick(random, team.hubIds);
  const item = random() < CREATION_SHARE ? undefined : pick(random, ledger.atHand(hubId));
  const action = item ? change(context, item) : creation(context, hubId);
  const atOnce = item ? 1 + Math.floor(random() * MAX_AT_ONCE) : 1;
  const first = Math.floor(random() * team.users.length);
  const users = Array.from({ length: atOnce }, (_, n) => team.users[(first + n) % team.users.length] as TestUser);
  await Promise.all(users.map(action));
}

function creation({ ledger, random }: ActContext, hubId: string): Action {
  const text = `Written ${random()}`;
  const [room, body] = pick<[string, object]>(random, [
    ['messages', { text }],
    ['messages', { text: `**${text}**` }],
    ['notes', { title: 'A note', content: text }],
    ['todos', { title: text, priority: 'HIGH' }],
  ]);
  return async ({ token }) =>
    noteNew(ledger, await ledger.send<ItemAtHand>('POST', `/v1/hubs/${hubId}/${room}`, token, body));
}

function change(context: ActContext, item: ItemAtHand): Action {
  const { ledger, random } = context;
  const path = `/v1/${item.kind}s/${item.id}`;
  if (random() < DELETION_SHARE) {
    const by = item.kind === 'message' ? anAdmin(context) : undefined;
    return (user) => ledger.send('DELETE', path, (by ?? user).token);
  }
  if (item.kind === 'message') return messageChange(context, item, path);
  const body = item.kind === 'todo' ? todoChange(context) : noteChange(context, item.version);
  return (user) => ledger.send('PATCH', path, user.token, body);
}

function messageChange(context: ActContext, message: ItemAtHand, path: string): Action {
  const { ledger, random } = context;
  const text = `Changed ${random()}`;
  const dice = random();
  if (dice < 0.4) {
    const emoji = encodeURIComponent(pick(random, EMOJI));
    const method = pick(random, ['PUT', 'PUT', 'DELETE']);
    return ({ token }) => ledger.send(method, `${path}/reactions/${emoji}`, token);
  }
  const author = context.team.users.find(({ id }) => id === message.author?.id);
  // Only its author can edit a message.
  if (dice < 0.55 && author) return () => ledger.send('PATCH', path, author.token, { text });
  // Threads are one level deep.
  const isReply = typeof message.parentId === 'string';
  const [verb, body] =
    isReply || dice < 0.7 ? ['conversion', { to: pick(random, ['todo', 'note']) }] : ['replies', { text }];
  return async ({ token }) =>
    noteNew(ledger, await ledger.send<ItemAtHand>('POST', `${path}/${verb}`, token, body as object));
}

function todoChange({ random, team }: ActContext): object {
  return pick<object>(random, [
    { status: 'done' },
    { status: 'open' },
    { assigneeId: pick(random, team.users).id },
    { assigneeId: null },
    { priority: pick(random, ['LOW', 'URGENT', null]), title: `Changed ${random()}` },
    { dueDate: '2030-02-03T04:05:06Z', content: `Changed ${random()}` },
  ]);
}

/** Sends the version that was read, so that only the first of several simultaneous edits succeeds. */
function noteChange({ random }: ActContext, baseVersion: number): object {
  const content = `Changed ${random()}`;
  return pick<object>(random, [{ content }, { content, baseVersion }, { content, title: null }]);
}

function anAdmin({ random, team }: ActContext): TestUser {
  return pick(
    random,
    team.users.filter(({ isAdmin }) => isAdmin),
  );
}

/**
 * Replies and the results of conversions are new items, too. A repeated conversion returns the item that the first one
 * created.
 */
function noteNew(ledger: Ledger, item: ItemAtHand | undefined): void {
  if (item) ledger.acknowledge(item);
}
