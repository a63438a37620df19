import type { IssuedKey, WireKind } from '@hub/contract';
import { type HubServer, pace, pick, type Random, type Team, type TestUser } from '@hub/testkit';

/** The number of newest items in a Hub that users work on at the same time. */
const AT_HAND = 12;
const EMOJI = ['👍', '🎉', '👀'] as const;
/** Each removal covers the posts that a key made within this time before the removal. */
const REMOVED_MS = 2_000;

interface ItemAtHand {
  readonly id: string;
  readonly hubId: string;
  readonly kind: WireKind;
  readonly version: number;
  /** Absent: a program. */
  readonly author?: { readonly id: string };
  readonly parentId?: string | null;
}

/** The work of a team and its programs, at a steady pace regardless of whether the server keeps up. */
export class TeamWork {
  /** Maps the id of every item acknowledged with 201 to its Hub. */
  readonly acknowledged = new Map<string, string>();
  readonly rejected: string[] = [];
  /** The number of requests interrupted by restarts, and of those for which another user was faster (404, 409). */
  readonly counts = { done: 0, interrupted: 0, outrun: 0 };
  readonly #server: HubServer;
  readonly #team: Team;
  readonly #random: Random;
  readonly #atHand = new Map<string, ItemAtHand[]>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #loops: Promise<void>[];
  #isOver = false;

  /** Half of the actions are posts with keys; the other half are user actions. */
  constructor(server: HubServer, { team, random, rate }: { team: Team; random: Random; rate: number }) {
    this.#server = server;
    this.#team = team;
    this.#random = random;
    this.#loops = [this.#paced(rate / 2, (n) => this.#post(n)), this.#paced(rate / 2, () => this.#act())];
    this.#loops.push(this.#administer());
  }

  /** Resolves once every request has received its response. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    await Promise.all(this.#running);
  }

  /** Posts a long note with each of the keys of the Hub for them. */
  async longNotes(characters: number): Promise<void> {
    const content = 'x'.repeat(characters);
    const { heavyKeys, heavyHubId } = this.#team;
    await Promise.all(heavyKeys.map((key) => this.#create(key, heavyHubId, 'notes', { title: 'Long', content })));
  }

  async #paced(perSecond: number, work: (n: number) => Promise<unknown>): Promise<void> {
    const turn = pace(perSecond);
    for (let n = 0; !this.#isOver; n += 1) {
      await turn();
      const running = work(n).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  #post(n: number): Promise<void> {
    const key = this.#team.keys[n % this.#team.keys.length] as IssuedKey;
    const text = `Posted by a program ${n} ${'word '.repeat(1 + Math.floor(this.#random() * 30))}`.trim();
    const [room, body] = pick<[string, object]>(this.#random, [
      ['messages', { text }],
      ['messages', { text, blocks: [{ type: 'paragraph', data: { text } }] }],
      ['notes', { title: 'A note', content: text }],
      ['todos', { title: text, dueDate: '2030-01-02T03:04:05+01:00' }],
    ]);
    return this.#create(key, key.hubId, room, body);
  }

  async #create(key: IssuedKey, hubId: string, room: string, body: object): Promise<void> {
    const response = await this.#send<{ data: { id: string } }>('POST', `/public/v1/${room}`, key.key, body);
    const kind = room.slice(0, -1) as WireKind;
    if (response) this.#acknowledge({ id: response.data.id, hubId, kind, version: 1 });
  }

  /** An action by team members, often by several of them on the same item at the same time. */
  async #act(): Promise<void> {
    const { hubIds, users } = this.#team;
    const hubId = pick(this.#random, hubIds);
    const item = this.#random() < 0.25 ? undefined : pick(this.#random, this.#itemsAtHand(hubId));
    const action = item ? this.#change(item) : this.#creation(hubId);
    const first = Math.floor(this.#random() * users.length);
    const atOnce = item ? 1 + Math.floor(this.#random() * 3) : 1;
    const actors = Array.from({ length: atOnce }, (_, n) => users[(first + n) % users.length] as TestUser);
    await Promise.all(actors.map(action));
  }

  #creation(hubId: string): (user: TestUser) => Promise<void> {
    const text = `Written ${this.#random()}`;
    const [room, body] = pick<[string, object]>(this.#random, [
      ['messages', { text }],
      ['notes', { title: 'A note', content: text }],
      ['todos', { title: text, priority: 'HIGH' }],
    ]);
    return async ({ token }) => {
      this.#acknowledge(await this.#send<ItemAtHand>('POST', `/v1/hubs/${hubId}/${room}`, token, body));
    };
  }

  #change(item: ItemAtHand): (user: TestUser) => Promise<unknown> {
    const path = `/v1/${item.kind}s/${item.id}`;
    const random = this.#random;
    const changed = `Changed ${random()}`;
    const { users } = this.#team;
    if (random() < 0.06) {
      const admin = users.find(({ isAdmin }) => isAdmin) as TestUser;
      return (user) => this.#send('DELETE', path, (item.kind === 'message' ? admin : user).token);
    }
    if (item.kind === 'note') {
      // With the version that was read, only the first of several simultaneous edits succeeds.
      const body = { content: changed, baseVersion: item.version };
      return ({ token }) => this.#send('PATCH', path, token, pick<object>(random, [body, { content: changed }]));
    }
    if (item.kind === 'todo') {
      const bodies = [
        { status: 'done' },
        { status: 'open' },
        { title: changed },
        { assigneeId: pick(random, users).id },
      ];
      const body = pick<object>(random, bodies);
      return ({ token }) => this.#send('PATCH', path, token, body);
    }
    const author = users.find(({ id }) => id === item.author?.id);
    // Only its author can edit a message.
    if (author && random() < 0.3) return () => this.#send('PATCH', path, author.token, { text: changed });
    if (random() < 0.5) {
      const [method, emoji] = [pick(random, ['PUT', 'PUT', 'DELETE']), encodeURIComponent(pick(random, EMOJI))];
      return ({ token }) => this.#send(method, `${path}/reactions/${emoji}`, token);
    }
    // Threads are one level deep. A repeated conversion returns the item that the first one created.
    const isReply = typeof item.parentId === 'string';
    const [verb, body] = pick<[string, object]>(random, [
      ['conversion', { to: 'todo' }],
      isReply ? ['conversion', { to: 'note' }] : ['replies', { text: changed }],
    ]);
    return async ({ token }) => this.#acknowledge(await this.#send<ItemAtHand>('POST', `${path}/${verb}`, token, body));
  }

  /** From time to time, removes and restores a key's posts, and renames Hubs. */
  async #administer(): Promise<void> {
    const { admin } = this.#server;
    while (!this.#isOver) {
      await Bun.sleep(2_000 * this.#random());
      const { id: keyId, hubId } = pick(this.#random, this.#team.keys);
      try {
        const from = new Date(Date.now() - REMOVED_MS).toISOString();
        const { id } = await admin.request('POST /keys/{keyId}/removals', { keyId, body: { from } });
        await Bun.sleep(400);
        await admin.request('DELETE /keys/{keyId}/removals/{removalId}', { keyId, removalId: id ?? '' });
        await admin.request('PATCH /hubs/{hubId}', { hubId, body: { name: `Team ${this.#random()}` } });
      } catch (error) {
        if (!this.#server.isRestarting) this.rejected.push(String(error));
      }
    }
  }

  #acknowledge(item: ItemAtHand | undefined): void {
    if (!item) return;
    this.acknowledged.set(item.id, item.hubId);
    const items = this.#itemsAtHand(item.hubId);
    items.push(item);
    if (items.length > AT_HAND) items.shift();
  }

  #itemsAtHand(hubId: string): ItemAtHand[] {
    const items = this.#atHand.get(hubId) ?? [];
    this.#atHand.set(hubId, items);
    return items;
  }

  /** Sends a request. Returns the response if it was successful. */
  async #send<T>(method: string, path: string, token: string, body?: object): Promise<T | undefined> {
    const isJson = body && { body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${this.#server.url}/api${path}`, { method, headers, ...isJson }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (!response || typeof text !== 'string' || (response.status === 503 && this.#server.isRestarting)) {
      this.counts.interrupted += 1;
      if (!this.#server.isRestarting) this.rejected.push(`${method} ${path} broke off, and no server was ended`);
      return undefined;
    }
    if (response.ok) {
      this.counts.done += 1;
      return JSON.parse(text) as T;
    }
    if (response.status === 404 || response.status === 409) this.counts.outrun += 1;
    else this.rejected.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return undefined;
  }
}
