/**
 * Promise: every change reaches every follower of its Hub, once and in order, across cut connections, stops and kills of
 * the server. A peer that is slow or silent is disconnected within 20 seconds, and normal posts do not wait for it; a
 * server without free files serves the connections that it has.
 *
 * Proof: a crowd of followers beside a team that posts and works; connections are cut at random, and the server is killed
 * and stopped. Then normal posts beside crowds of slow peers (`live/slow-peers.ts`).
 *
 * Long form: 1,000 followers for four minutes with 12 restarts, and 1,000 slow peers; or `--sockets`, `--seconds`,
 * `--restarts`, `--rate` (actions per second), `--peers`. `--seed` reproduces the random choices of an earlier run, but not
 * the behavior of the network and the scheduler.
 */
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { HubServer, pick, type Random, seeded } from '@hub/testkit';
import { type Crew, createCrew, type LiveReader, startFollowers } from './kit/live-reader.ts';
import { pace } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';
import { proveOpenFiles, proveSlowPeers } from './live/slow-peers.ts';

const options = proofOptions(
  { ...{ sockets: 80, seconds: 6, restarts: 2, rate: 24, peers: 168 }, seed: Math.floor(Math.random() * 2 ** 31) },
  {
    long: { sockets: 1_000, seconds: 240, restarts: 12, peers: 1_000 },
    inCounterProof: { sockets: 40, seconds: 4, restarts: 0, peers: 15 },
  },
);
const { sockets, seconds, restarts, rate } = options;

/** A key can post 60 times per minute, and half of all actions are posts. */
const KEYS_PER_HUB = Math.ceil(((rate / 2) * (60 / 40)) / 4);
const CUTS_PER_SECOND = 0.15;

const counterProofs = [
  // Loses one event of ten.
  {
    file: 'apps/api/src/live/hub-feed.ts',
    find: 'this.deps.publish(event);',
    replace: 'if (event.seq % 10 !== 5) this.deps.publish(event);',
    fails: 'every event arrives once and in order',
    part: 'storm',
  },
  // Waits for a slow body without end.
  {
    file: 'apps/api/src/http/body-watch.ts',
    find: 'if (hasStalled || now - since > allowedMs) giveUp',
    replace: 'if (hasStalled && now - since > 10 * allowedMs) giveUp',
    fails: 'slow peers are closed within',
    part: 'slow peers',
  },
  // Lets the other connections speak every few seconds, so that none is closed.
  { fails: 'a new connection is accepted', part: 'open files' },
] as const;

async function proveStorm(proof: Proof): Promise<void> {
  const random = seeded(options.seed);
  proof.report(
    `${sockets} sockets, ${seconds} s, ${restarts} restarts, ${rate} actions a second, --seed ${options.seed}`,
  );
  const server = await new HubServer(join(proof.folder, 'storm')).start();
  const team = await createCrew(server, KEYS_PER_HUB);
  const hubAt = (at: number) => team.hubIds[at % team.hubIds.length] as string;
  const hubIdsOf = (n: number) => [...new Set([hubAt(n), hubAt(n + 1 + Math.floor(n / 4))])];
  const { readers, finish } = await startFollowers(proof, server, { crew: team, count: sockets, hubIdsOf });
  const work = new TeamWork(server, team, seeded(options.seed + 1));
  work.begin(rate);
  const codes = await storm(server, readers, random);
  await work.stop();
  await finish();
  const missing = readers.flatMap((reader) =>
    [...work.acknowledged].flatMap(([id, hubId]) =>
      reader.options.hubIds.includes(hubId) && !reader.createdIds.has(id) ? [id] : [],
    ),
  );
  proof.none('every acknowledged item arrived at each reader', missing, `${work.acknowledged.size} items`);
  proof.none('no request was rejected or lost without a reason', work.rejected);
  const wrong = codes.filter((code) => code !== 0).map((code) => `it exited with ${code}`);
  proof.none('a server that gets SIGTERM exits with 0', wrong);
  const sum = (name: keyof LiveReader['counts']): number =>
    readers.reduce((total, { counts }) => total + counts[name], 0);
  proof.report(
    `${sum('events')} events over ${sum('connections')} connections; ${work.counts.done} requests done, ${work.counts.interrupted} interrupted, ${work.counts.outrun} outrun`,
  );
  const isInterrupted = restarts === 0 || work.counts.interrupted > 0;
  proof.check('the storm had cuts, and requests cut by restarts', sum('connections') > sockets && isInterrupted);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
}

/** Cuts connections at random, and alternates between killing and stopping the server. Returns the codes of the stops. */
async function storm(server: HubServer, readers: readonly LiveReader[], random: () => number) {
  const cutting = setInterval(() => pick(random, readers).cut(), 1_000 / (readers.length * CUTS_PER_SECOND));
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

/** The number of newest messages in a Hub that users work on at the same time. */
const AT_HAND = 12;
/** Each removal covers the posts that a key made within this time before the removal. */
const REMOVED_MS = 2_000;

type Request = readonly [method: string, path: string, body?: object];

/** The work of a team and its programs, at a steady pace regardless of whether the server keeps up. */
class TeamWork {
  /** Maps the id of every item acknowledged with 201 to its Hub. */
  readonly acknowledged = new Map<string, string>();
  readonly rejected: string[] = [];
  /** The number of requests interrupted by restarts, and of those for which another user was faster (404, 409). */
  readonly counts = { done: 0, interrupted: 0, outrun: 0 };
  readonly #atHand = new Map<string, string[]>();
  readonly #running = new Set<Promise<unknown>>();
  #loops: Promise<void>[] = [];
  #isOver = false;

  constructor(
    private readonly server: HubServer,
    private readonly team: Crew,
    private readonly random: Random,
  ) {}

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

  async #paced(perSecond: number, work: (n: number) => Promise<unknown>): Promise<void> {
    const turn = pace(perSecond);
    for (let n = 0; !this.#isOver; n += 1) {
      await turn();
      const running = work(n).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  #post(n: number): Promise<void> {
    const { key, hubId } = this.team.keys[n % this.team.keys.length] as IssuedKey;
    const text = `Posted by a program ${n} ${'word '.repeat(1 + Math.floor(this.random() * 30))}`.trim();
    return this.#write(hubId, '/public/v1', key, '/messages', text);
  }

  /** An action by team members, often by several of them on the same message at the same time. */
  async #act(): Promise<void> {
    const { random } = this;
    const { hubIds, users } = this.team;
    const hubId = pick(random, hubIds);
    const text = `Written ${random()}`;
    const token = () => pick(random, users).token;
    const ids = this.#atHand.get(hubId) ?? [];
    if (ids.length === 0 || random() < 0.25) return this.#write(hubId, '/v1', token(), `/hubs/${hubId}/messages`, text);
    const id = pick(random, ids);
    if (random() < 0.06) return void (await this.#send('/v1', users[0]?.token ?? '', ['DELETE', `/messages/${id}`]));
    const reaction = `/messages/${id}/reactions/${encodeURIComponent('🎉')}`;
    const method = pick(random, ['PUT', 'DELETE', 'reply']);
    const act = async (): Promise<void> => {
      if (method === 'reply') await this.#write(hubId, '/v1', token(), `/items/${id}/replies`, text);
      else await this.#send('/v1', token(), [method, reaction]);
    };
    await Promise.all(Array.from({ length: 1 + Math.floor(random() * 3) }, act));
  }

  /** From time to time, removes and restores a key's posts, and renames Hubs. */
  async #administer(): Promise<void> {
    const { admin } = this.server;
    while (!this.#isOver) {
      await Bun.sleep(2_000 * this.random());
      const { id: keyId, hubId } = pick(this.random, this.team.keys);
      const isInterrupted = this.server.request();
      try {
        const from = new Date(Date.now() - REMOVED_MS).toISOString();
        const { id } = await admin.request('POST /keys/{keyId}/removals', { keyId, body: { from } });
        await Bun.sleep(400);
        await admin.request('DELETE /keys/{keyId}/removals/{removalId}', { keyId, removalId: id ?? '' });
        await admin.request('PATCH /hubs/{hubId}', { hubId, body: { name: `Team ${this.random()}` } });
      } catch (error) {
        if (!isInterrupted()) this.rejected.push(String(error));
      }
    }
  }

  /** Writes a message. Threads are one level deep, so replies are not at hand. */
  async #write(hubId: string, api: string, token: string, path: string, text: string): Promise<void> {
    const response = await this.#send<{ id?: string; data?: { id: string } }>(api, token, ['POST', path, { text }]);
    const id = response?.data?.id ?? response?.id;
    if (!id) return;
    this.acknowledged.set(id, hubId);
    if (path.endsWith('/messages')) this.#atHand.set(hubId, [...(this.#atHand.get(hubId) ?? []), id].slice(-AT_HAND));
  }

  /** Sends a request. Returns the response if it was successful. */
  async #send<T>(api: string, token: string, [method, path, body]: Request): Promise<T | undefined> {
    const isJson = body && { body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const url = `${this.server.url}/api${api}${path}`;
    const isInterrupted = this.server.request();
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
  const slowPeers = proof.part('slow peers', () => proveSlowPeers(proof, options.peers));
  await Promise.all([slowPeers, proof.part('open files', () => proveOpenFiles(proof))]);
});
