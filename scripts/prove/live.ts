/**
 * Promise: every change reaches every follower of its Hub, once and in order, across cut connections, stops and kills of
 * the server; one that does not read is disconnected, and resumes. A peer that is slow or silent is disconnected within 20
 * seconds, and normal posts do not wait for it; a server without free files serves the connections that it has.
 *
 * Proof: a crowd of followers beside a team that posts and works; some stall, connections are cut at random, even within a
 * frame, and the server is killed and stopped. Then normal posts beside crowds of slow peers (`live/slow-peers.ts`).
 *
 * Long form: 1,000 followers for four minutes with 12 restarts, and 1,000 slow peers; or `--sockets`, `--seconds`,
 * `--restarts`, `--rate` (actions per second), `--peers`. `--seed` reproduces the random choices of an earlier run, but not
 * the behavior of the network and the scheduler.
 */
import { join } from 'node:path';
import type { IssuedKey, WireKind } from '@hub/contract';
import {
  type Crew,
  createCrew,
  HubServer,
  LiveReader,
  type Proof,
  pace,
  pick,
  proofOptions,
  type Random,
  type Resumption,
  runProof,
  seeded,
  until,
} from '@hub/testkit';
import { proveOpenFiles, proveSlowPeers } from './live/slow-peers.ts';

const options = proofOptions(
  {
    ...{ sockets: 80, seconds: 6, restarts: 2, rate: 24, peers: 168 },
    seed: Math.floor(Math.random() * 2 ** 31),
  },
  {
    long: { sockets: 1_000, seconds: 240, restarts: 12, peers: 1_000 },
    inCounterProof: { sockets: 40, seconds: 4, restarts: 0, peers: 15 },
  },
);
const { sockets, seconds, restarts, rate } = options;

/** A key can post 60 times per minute, and half of all actions are posts. */
const KEYS_PER_HUB = Math.ceil(((rate / 2) * (60 / 40)) / 4);
/** Together 8 MB: well above the 2 MiB that may wait for one reader plus the kernel's buffers of about 3 MiB. */
const [LONG_NOTES, LONG_CHARACTERS] = [80, 100_000];
const STALLED = 6;
/** The ways to resume, of the readers in turn. */
const RESUMPTIONS: readonly Resumption[] = ['exact', 'exact', 'stale', 'exact', 'exact', 'stale', 'exact', 'foreign'];
const CUTS_PER_SECOND = 0.15;
/** A cut happens within this many bytes (about four events). */
const CUT_WITHIN_BYTES = 3_000;
const SETTLE_MS = 30_000;
/** The time to wait for surplus frames after the last expected one. */
const STRAY_MS = 300;

const counterProofs = [
  // Loses one event of ten.
  {
    change: {
      file: 'apps/api/src/live/hub-feed.ts',
      find: 'this.deps.publish(event);',
      replace: 'if (event.seq % 10 !== 5) this.deps.publish(event);',
    },
    fails: 'every event arrives once and in order',
    part: 'storm',
  },
  // Waits for a slow body without end.
  {
    change: {
      file: 'apps/api/src/http/body-watch.ts',
      find: 'if (hasStalled || now - since > allowedMs) giveUp',
      replace: 'if (hasStalled && now - since > 10 * allowedMs) giveUp',
    },
    fails: 'slow peers are closed within',
    part: 'slow peers',
  },
  // Lets the other connections speak every few seconds, so that none is closed.
  { fails: 'a new connection is accepted', part: 'open files' },
] as const;

interface Follower {
  readonly reader: LiveReader;
  readonly resumption: Resumption;
}

async function proveStorm(proof: Proof): Promise<void> {
  const random = seeded(options.seed);
  proof.report(
    `${sockets} sockets, ${seconds} s, ${restarts} restarts, ${rate} actions a second, --seed ${options.seed}`,
  );
  const server = await new HubServer(join(proof.folder, 'storm')).start();
  const team = await createCrew(server, KEYS_PER_HUB, LONG_NOTES);
  const followers = Array.from({ length: sockets }, (_, n): Follower => {
    const hubIds = [n, n + 1 + Math.floor(n / 4)].map((at) => team.hubIds[at % team.hubIds.length] as string);
    const resumption = RESUMPTIONS[n % RESUMPTIONS.length] as Resumption;
    const reader = new LiveReader({
      name: `${resumption} ${n}`,
      token: team.users[n % team.users.length]?.token ?? '',
      hubIds: [...new Set(n < STALLED ? [team.heavyHubId, ...hubIds] : hubIds)],
      ports: () => [server.port],
      resumption,
      // Each reader has its own random numbers, so that its actions depend only on the seed and not on timing.
      random: seeded(Math.floor(random() * 2 ** 32)),
      onReset: async () => {},
    });
    return { reader, resumption };
  });
  const readers = followers.map(({ reader }) => reader);
  const areFollowing = () => readers.every(({ isFollowing }) => isFollowing);
  proof.check('every socket follows its Hubs', await until(SETTLE_MS, areFollowing));

  const work = new TeamWork(server, team, seeded(options.seed + 1));
  await stallSome(proof, readers.slice(0, STALLED), work);
  work.begin(rate);
  const codes = await storm(server, readers, random);
  await work.stop();
  const newest = await server.admin.seqs([...team.hubIds, team.heavyHubId]);
  const isCaughtUp = (reader: LiveReader) =>
    reader.isFollowing && reader.hubIds.every((hubId) => reader.hasAll(hubId, newest.get(hubId) ?? 0));
  await until(SETTLE_MS, () => readers.every(isCaughtUp));
  await Bun.sleep(STRAY_MS);

  const lagging = followers.filter(({ reader }) => !isCaughtUp(reader)).map(({ resumption }) => resumption);
  proof.none('all readers reconnect and receive the newest event', lagging);
  const problems = readers.flatMap((reader) => reader.problems);
  proof.none('every event arrives once and in order', problems);
  const missing = followers.flatMap(({ reader, resumption }) =>
    resumption === 'foreign'
      ? []
      : [...work.acknowledged].flatMap(([id, hubId]) =>
          reader.hubIds.includes(hubId) && !reader.createdIds.has(id) ? [id] : [],
        ),
  );
  proof.none('every acknowledged item arrived at each reader', missing, `${work.acknowledged.size} items`);
  proof.none('no request was rejected or lost without a reason', work.rejected);
  proof.none(
    'a server that gets SIGTERM exits with 0',
    codes.filter((code) => code !== 0).map((code) => `it exited with ${code}`),
  );
  const sum = (name: keyof LiveReader['counts']): number =>
    readers.reduce((total, { counts }) => total + counts[name], 0);
  proof.report(
    `${sum('events')} events over ${sum('connections')} connections, ${sum('cutsInFrame')} cut within a frame, ${sum('resets')} resets, ${sum('staleStarts')} stale starts; ${work.counts.done} requests done, ${work.counts.interrupted} interrupted, ${work.counts.outrun} outrun`,
  );
  const isStorm = sum('cutsInFrame') > 0 && sum('resets') > 0 && sum('staleStarts') > 0;
  const isInterrupted = restarts === 0 || work.counts.interrupted > 0;
  proof.check('the storm had cuts, resets, outdated numbers and requests cut by restarts', isStorm && isInterrupted);
  for (const reader of readers) reader.stop();
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
}

/** Lets some readers stop reading while long notes are posted to their Hub, and read again after a while. */
async function stallSome(proof: Proof, readers: readonly LiveReader[], work: TeamWork): Promise<void> {
  for (const reader of readers) reader.stall();
  const areStalled = await until(SETTLE_MS, () => readers.every(({ isStalled }) => isStalled));
  const before = readers.map(({ counts }) => counts.closedByServer);
  await work.longNotes(LONG_CHARACTERS);
  // A reader that does not read learns of the end of its connection only now.
  for (const reader of readers) reader.comeBack();
  const isClosed = () => readers.every(({ counts }, n) => counts.closedByServer > (before[n] ?? 0));
  proof.check('readers that do not read are disconnected', areStalled && (await until(SETTLE_MS, isClosed)));
}

/** Cuts connections at random, and alternates between killing and stopping the server. Returns the codes of the stops. */
async function storm(server: HubServer, readers: readonly LiveReader[], random: () => number) {
  const cutting = setInterval(
    () => pick(random, readers).cut(CUT_WITHIN_BYTES),
    1_000 / (readers.length * CUTS_PER_SECOND),
  );
  const codes: (number | null)[] = [];
  for (let done = 0; done < restarts; done += 1) {
    await Bun.sleep((seconds * 1_000 * (0.5 + random())) / (restarts + 1));
    const signal = done % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
    const code = await server.restart(signal);
    if (signal === 'SIGTERM') codes.push(code);
  }
  await Bun.sleep((seconds * 1_000) / (restarts + 1));
  clearInterval(cutting);
  return codes;
}

/** The number of newest items in a Hub that users work on at the same time. */
const AT_HAND = 12;
/** Each removal covers the posts that a key made within this time before the removal. */
const REMOVED_MS = 2_000;

interface ItemAtHand {
  readonly id: string;
  readonly hubId: string;
  readonly kind: WireKind;
  readonly version: number;
  readonly parentId?: string | null;
}

type Request = readonly [method: string, path: string, body?: object];

const posts = (text: string): readonly [room: string, body: object][] => [
  ['messages', { text }],
  ['notes', { title: 'A note', content: text }],
  ['todos', { title: text }],
];

/** Returns the requests with which any member may change an item. */
function changesOf({ id, kind, version, parentId }: ItemAtHand, text: string): readonly Request[] {
  const path = `/${kind}s/${id}`;
  const convert: Request = ['POST', `${path}/conversion`, { to: 'todo' }];
  const reaction = `${path}/reactions/${encodeURIComponent('🎉')}`;
  const reply: Request = ['POST', `/items/${id}/replies`, { text }];
  const changes: Record<WireKind, Request[]> = {
    // With the version that was read, only the first of several simultaneous edits succeeds.
    note: [
      ...[version, undefined].map((baseVersion): Request => ['PATCH', path, { content: text, baseVersion }]),
      reply,
    ],
    todo: [
      ...[{ status: 'done' }, { status: 'open' }, { title: text }].map((body): Request => ['PATCH', path, body]),
      reply,
    ],
    // Threads are one level deep.
    message: [['PUT', reaction], ['DELETE', reaction], convert, parentId ? convert : reply],
  };
  return changes[kind];
}

/** The work of a team and its programs, at a steady pace regardless of whether the server keeps up. */
class TeamWork {
  /** Maps the id of every item acknowledged with 201 to its Hub. */
  readonly acknowledged = new Map<string, string>();
  readonly rejected: string[] = [];
  /** The number of requests interrupted by restarts, and of those for which another user was faster (404, 409). */
  readonly counts = { done: 0, interrupted: 0, outrun: 0 };
  readonly #server: HubServer;
  readonly #team: Crew;
  readonly #random: Random;
  readonly #atHand = new Map<string, ItemAtHand[]>();
  readonly #running = new Set<Promise<unknown>>();
  #loops: Promise<void>[] = [];
  #isOver = false;

  constructor(server: HubServer, team: Crew, random: Random) {
    this.#server = server;
    this.#team = team;
    this.#random = random;
  }

  /** Half of the actions are posts with keys; the other half are user actions. */
  begin(rate: number): void {
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
    await Promise.all(this.#team.heavyKeys.map((key) => this.#create(key, 'notes', { title: 'Long', content })));
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
    const text = `Posted by a program ${n} ${'word '.repeat(1 + Math.floor(this.#random() * 30))}`.trim();
    return this.#create(this.#team.keys[n % this.#team.keys.length] as IssuedKey, ...pick(this.#random, posts(text)));
  }

  async #create({ key, hubId }: IssuedKey, room: string, body: object): Promise<void> {
    const response = await this.#send<{ data: { id: string } }>(`/public/v1/${room}`, key, ['POST', '', body]);
    const kind = room.slice(0, -1) as WireKind;
    if (response) this.#acknowledge({ id: response.data.id, hubId, kind, version: 1 });
  }

  /** An action by team members, often by several of them on the same item at the same time. */
  async #act(): Promise<void> {
    const { hubIds, users } = this.#team;
    const random = this.#random;
    const hubId = pick(random, hubIds);
    const item = random() < 0.25 ? undefined : pick(random, this.#itemsAtHand(hubId));
    const text = `Written ${random()}`;
    const [room, body] = pick(random, posts(text));
    const creation: Request = ['POST', `/hubs/${hubId}/${room}`, body];
    const act = async (token: string, request: Request): Promise<void> => {
      const result = await this.#send<Partial<ItemAtHand>>('/v1', token, request);
      if (request[0] === 'POST' && result?.id) this.#acknowledge(result as ItemAtHand);
    };
    const [admin] = users;
    if (item && random() < 0.06) return act(admin?.token ?? '', ['DELETE', `/${item.kind}s/${item.id}`]);
    const request = item ? pick(random, changesOf(item, text)) : creation;
    const atOnce = item ? 1 + Math.floor(random() * 3) : 1;
    await Promise.all(Array.from({ length: atOnce }, () => act(pick(random, users).token, request)));
  }

  /** From time to time, removes and restores a key's posts, and renames Hubs. */
  async #administer(): Promise<void> {
    const { admin } = this.#server;
    while (!this.#isOver) {
      await Bun.sleep(2_000 * this.#random());
      const { id: keyId, hubId } = pick(this.#random, this.#team.keys);
      const isInterrupted = this.#server.request();
      try {
        const from = new Date(Date.now() - REMOVED_MS).toISOString();
        const { id } = await admin.request('POST /keys/{keyId}/removals', { keyId, body: { from } });
        await Bun.sleep(400);
        await admin.request('DELETE /keys/{keyId}/removals/{removalId}', { keyId, removalId: id ?? '' });
        await admin.request('PATCH /hubs/{hubId}', { hubId, body: { name: `Team ${this.#random()}` } });
      } catch (error) {
        if (!isInterrupted()) this.rejected.push(String(error));
      }
    }
  }

  #acknowledge(item: ItemAtHand): void {
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
  async #send<T>(api: string, token: string, [method, path, body]: Request): Promise<T | undefined> {
    const isJson = body && { body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const url = `${this.#server.url}/api${api}${path}`;
    const isInterrupted = this.#server.request();
    // A connection that is kept might be one to the server before.
    const response = await fetch(url, { method, headers, ...isJson, keepalive: false }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (!response || typeof text !== 'string' || (response.status === 503 && isInterrupted())) {
      this.counts.interrupted += 1;
      if (!isInterrupted()) this.rejected.push(`${method} ${path} broke off, and no server was ended`);
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

const limitSeconds = 280 + seconds * 2 + restarts * 4 + sockets / 10;
await runProof({ limitSeconds, counterProofs }, async (proof) => {
  await proof.part('storm', () => proveStorm(proof));
  await Promise.all([
    proof.part('slow peers', () => proveSlowPeers(proof, options.peers)),
    proof.part('open files', () => proveOpenFiles(proof)),
  ]);
});
