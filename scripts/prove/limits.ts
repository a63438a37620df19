/**
 * Promise: a key can send exactly 60 requests in any 60 seconds, and the next one blocks it for exactly 300 seconds, across
 * kills. Every response says how many are left. No request that begins after the response to a revocation is accepted.
 *
 * Proof: keys that all send more than they may, over many connections at once, and are still blocked after a kill; then
 * credentials that are revoked while they are in use. That windows and blocks end at their exact millisecond, whatever the
 * clock is set to, is shown by `platform/sliding-window.test.ts` and `workspace/keys/rate-limit.test.ts`.
 *
 * Long form: 300 keys, 2,500 revocations; or `--keys`, `--revocations`, `--users`.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import {
  HubServer,
  openConnection,
  pick,
  postRequest,
  type RawResponse,
  rawRequest,
  sendOnce,
  userWithToken,
  withConcurrency,
} from '@hub/testkit';
import { sendAll } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';

const REQUESTS = 60;
const BLOCK_SECONDS = 300;
const HUBS = 10;

const options = proofOptions(
  { keys: 20, revocations: 60, users: 10 },
  { long: { keys: 300, revocations: 2_500, users: 100 } },
);

const counterProofs = [
  // Admits one request too many.
  {
    file: 'apps/api/src/platform/sliding-window.ts',
    find: 'this.#times.length >= RATE_LIMIT.requests',
    replace: 'this.#times.length > RATE_LIMIT.requests',
    fails: 'exactly 60 of each key pass',
    part: 'limit',
  },
  // Forgets blocks when it starts.
  {
    file: 'apps/api/src/programs/flush-keys.ts',
    find: 'limiter.restoreBlock(block.keyId, remainingMs(block, time));',
    replace: 'remainingMs(block, time);',
    fails: 'every key is still blocked after a kill',
    part: 'limit',
  },
  // Lets a revocation take effect a fifth of a second late.
  {
    file: 'packages/contract/src/key-state.ts',
    find: 'key.revokedAt === null &&',
    replace: '(key.revokedAt === null || now < key.revokedAt + 200) &&',
    fails: 'keys revoked, replaced, or their Hub deleted',
    part: 'revocation',
  },
] as const;

const raw = (bearer: string, { path = '/messages', ...parts }: Partial<Parameters<typeof rawRequest>[0]>): string =>
  rawRequest({ bearer, path: `/api/public/v1${path}`, ...parts });
const MESSAGE = [201, (key: string) => postRequest('messages', key, 'Hello')] as const;
/** Ways to use up one of the sixty requests, with their status. The keys can only create messages. */
const KINDS = [
  ...[MESSAGE, MESSAGE, MESSAGE],
  // No scope, an unknown path, another method, another type and broken JSON.
  [403, (key: string) => postRequest('notes', key, 'Hello')],
  [404, (key: string) => raw(key, { path: '/nothing', body: '{"text":"Hello"}' })],
  [405, (key: string) => raw(key, { method: 'GET' })],
  [415, (key: string) => raw(key, { contentType: 'text/plain', body: 'text=x' })],
  [400, (key: string) => raw(key, { body: '{"text": ' })],
] as const;

async function proveLimit(proof: Proof, count: number): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'limit')).start();
  const keys = await server.admin.issueKeys(await server.admin.createHubs(HUBS), count, ['messages:create']);
  const sent = keys.flatMap(({ id, key }) =>
    Array.from({ length: REQUESTS + randomInt(1, 10) }, () => ({ id, key, kind: pick(Math.random, KINDS) })),
  );
  const shuffled = sent.map((each) => ({ ...each, at: Math.random() })).sort((one, other) => one.at - other.at);
  const requests = shuffled.map(({ key, kind: [, request] }) => request(key));
  const startedAt = performance.now();
  const responses = await sendAll(server.port, requests);

  /** Returns what is left of the block that a response reports; NaN if it is not the response of a blocked key. */
  const blockSeconds = (response: RawResponse): number => {
    const seconds = Number(response.header('Retry-After') ?? Number.NaN);
    return response.header('RateLimit') === `"default";r=0;t=${seconds}` ? seconds : Number.NaN;
  };
  const problems: string[] = [];
  const ofKeys = Map.groupBy(responses.keys(), (index) => shuffled[index]?.id);
  for (const [id, indexes] of ofKeys) {
    const left: number[] = [];
    for (const index of indexes) {
      const response = responses[index] as RawResponse;
      const [status] = (shuffled[index] as (typeof shuffled)[number]).kind;
      const [, remaining] = /^"default";r=(\d+);t=(?:60|[1-5]?\d)$/.exec(response.header('RateLimit') ?? '') ?? [];
      const isBlocked = response.status === 403 && blockSeconds(response) <= BLOCK_SECONDS;
      if (response.header('RateLimit-Policy') !== '"default";q=60;w=60') problems.push(`${id}: no policy`);
      if (response.status === status && response.header('Retry-After') === null) left.push(Number(remaining));
      else if (!isBlocked) problems.push(`${id}: ${response.status} in place of ${status}: ${response.head}`);
    }
    const wrong = left.toSorted((one, other) => other - one).findIndex((each, n) => each !== REQUESTS - 1 - n);
    if (left.length !== REQUESTS || wrong >= 0) problems.push(`${id}: passed with ${left} left`);
  }
  const claim = `${keys.length} keys at once: exactly ${REQUESTS} of each key pass, and each response says what is left`;
  proof.none(claim, problems, `${responses.length} requests`);

  await server.kill();
  await server.start();
  const again = keys.map(({ key }) => postRequest('messages', key, 'Hello'));
  const after = await sendAll(server.port, again);
  // The blocks began at some time after the first request.
  const least = BLOCK_SECONDS - Math.ceil((performance.now() - startedAt) / 1000);
  const seconds = after.map(blockSeconds);
  proof.check(
    'every key is still blocked after a kill, for what is left of 300 s',
    seconds.every((each) => each >= least && each <= BLOCK_SECONDS),
    `${Math.min(...seconds)} to ${Math.max(...seconds)} s, at least ${least}`,
  );
  await server.stop();
}

/** Users have addresses that no key has. */
const MAX_KEYS = 20_000;
/** The number of credentials that are revoked at the same time. */
const AT_ONCE = 16;
const CONNECTIONS = 4;
/** The number of requests per connection before the revocation, small enough that no key reaches its limit. */
const MAX_BEFORE = 12;
/** The number of requests per connection after it. Their total is below the failures that slow down an address. */
const LATE = 2;

/** A credential that allows posting, and how it is revoked. */
interface Subject {
  readonly name: string;
  /** A separate address for each credential, so that the failures of one do not slow down another. */
  readonly address: string;
  /** A post, which gets a 201 while the credential is accepted. */
  readonly request: string;
  readonly end: () => Promise<unknown>;
  /** The expected status after the revocation. */
  readonly rejected: number;
  /** The key whose posts are counted, if it is one. */
  readonly keyId?: string;
}

type Outcome = Awaited<ReturnType<typeof endUnderLoad>>;

/** Ends keys, and users who lose a token, a session, their account or a Hub, all while they post. */
async function proveRevocations(proof: Proof): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'revocation')).start();
  const programs = await keysThatEnd(server, options.revocations);
  const members = await usersWhoEnd(server, options.users);
  const endAll = (subjects: readonly Subject[]) =>
    withConcurrency(subjects, (subject) => endUnderLoad(server.port, subject), AT_ONCE);

  const ofPrograms = await endAll(programs);
  const posts = new Map((await server.admin.all('GET /keys')).map(({ id, postCount }) => [id, postCount]));
  const miscounted = programs.flatMap(({ name, keyId = '' }, index) => {
    const [stored, accepted] = [posts.get(keyId), ofPrograms[index]?.accepted];
    return stored === accepted ? [] : [`${name}: ${stored} posts, ${accepted} accepted`];
  });
  checkOutcomes(proof, `${programs.length} keys revoked, replaced, or their Hub deleted`, ofPrograms);
  const ofMembers = `${members.length} tokens, sessions, accounts and memberships ended`;
  checkOutcomes(proof, ofMembers, await endAll(members));
  proof.none('every 201 is counted, and nothing else', miscounted);

  await server.kill();
  await server.start();
  const all = [...programs, ...members];
  const statuses = await withConcurrency(all, ({ request, address: from }) =>
    sendOnce(server.port, request, { from }).then(({ status }) => status),
  );
  const back = all.flatMap(({ name, rejected }, n) => (statuses[n] === rejected ? [] : [`${name}: ${statuses[n]}`]));
  proof.none('all stay rejected after a kill', back);
  await server.stop();
}

function checkOutcomes(proof: Proof, what: string, outcomes: readonly Outcome[]): void {
  const sum = (field: 'accepted' | 'late'): number => outcomes.reduce((all, outcome) => all + outcome[field], 0);
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  proof.check(
    `${what}: of ${sum('late')} requests sent after the response, none is accepted`,
    problems.length === 0 && sum('late') > 0 && sum('accepted') > 0,
    `${sum('accepted')} accepted before; ${problems.slice(0, 3).join('; ')}`,
  );
}

/**
 * Posts over several connections, revokes the credential at some point, and continues to post. `late`: requests that were
 * sent after the response to the revocation had arrived.
 */
async function endUnderLoad(port: number, { name, address, request, rejected, end }: Subject) {
  const outcome = { accepted: 0, late: 0, problems: [] as string[] };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port, address)));
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let isEnded = false;
  let untilEnd = Math.floor(Math.random() * CONNECTIONS * 6);
  const record = (status: number, isLate: boolean): void => {
    if (status === 201) outcome.accepted += 1;
    if (isLate) outcome.late += 1;
    const isProblem = isLate ? status !== rejected : status !== 201 && status !== rejected;
    if (isProblem) outcome.problems.push(`${name}: ${status} ${isLate ? 'after it had ended' : 'meanwhile'}`);
    untilEnd -= 1;
    if (untilEnd < 0) begun.resolve();
  };
  const posting = connections.map(async (connection) => {
    for (let sent = 0; sent < MAX_BEFORE && !isEnded; sent += 1) record((await connection.send(request)).status, false);
    await ended.promise;
    for (let sent = 0; sent < LATE; sent += 1) record((await connection.send(request)).status, true);
    connection.close();
  });
  await begun.promise;
  await end();
  isEnded = true;
  ended.resolve();
  await Promise.all(posting);
  return outcome;
}

/** Returns the nth loopback address other than 127.0.0.1: a client of its own, to the server. */
function loopbackAddress(n: number): string {
  const number = n + 1;
  return `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns keys that cycle through all the ways of being revoked. */
async function keysThatEnd({ admin, port }: HubServer, count: number): Promise<Subject[]> {
  const hubs = await admin.createHubs(HUBS);
  const ways = ['revoked', 'replaced', 'its Hub is deleted'] as const;
  return withConcurrency(Array.from({ length: count }), async (_, n): Promise<Subject> => {
    const way = ways[n % ways.length] ?? 'revoked';
    const [name, address] = [`key ${n}, ${way}`, loopbackAddress(n)];
    const isDeletion = way === 'its Hub is deleted';
    const hubId = isDeletion ? (await admin.createHub(name)).id : (hubs[n % HUBS] ?? '');
    const { id: keyId, key } = await admin.issueKey({ hubId, name });
    const replace = async (): Promise<void> => {
      const successor = await admin.replaceKey(keyId);
      // Not awaited, since the point is that the old key is rejected from now on.
      void sendOnce(port, postRequest('messages', successor.key, 'Hello'), { from: address }).then(({ status }) => {
        if (status !== 201) throw new Error(`The successor of ${keyId} returned ${status}`);
      });
    };
    const end = {
      revoked: () => admin.revokeKey(keyId),
      replaced: replace,
      'its Hub is deleted': () => admin.deleteHub(hubId),
    }[way];
    const request = postRequest('messages', key, 'Hello');
    return { name, address, keyId, request, end, rejected: isDeletion ? 404 : 401 };
  });
}

/** Returns users who each lose, in turn, something they need for posting: a token, a session, the account or the Hub. */
async function usersWhoEnd(server: HubServer, count: number): Promise<Subject[]> {
  const { admin, url } = server;
  const { id: hubId } = await admin.createHub('Of users');
  return withConcurrency(Array.from({ length: count }), async (_, n): Promise<Subject> => {
    const name = `User ${n}`;
    const { user, tokenId, token, headers, request } = await userWithToken(server, { name, hubIds: [hubId] });
    const { id: userId, password } = user;
    const ways = {
      'token revoked': () => request('DELETE /me/tokens/{tokenId}', { tokenId }),
      'session ended': () => request('DELETE /session'),
      'password changed': () =>
        request('PUT /me/password', { body: { currentPassword: password, newPassword: 'another one of mine' } }),
      'account disabled': () => admin.request('POST /users/{userId}/deactivation', { userId }),
      'removed from the Hub': () => admin.request('DELETE /hubs/{hubId}/members/{userId}', { hubId, userId }),
    } as const;
    const names = Object.keys(ways) as (keyof typeof ways)[];
    const way = names[n % names.length] ?? 'token revoked';
    const withSession = way === 'session ended' || way === 'password changed' || n % 2 === 0;
    const isToken = way === 'token revoked' || !withSession;
    const credential = isToken ? [`Authorization: Bearer ${token}`] : [`Cookie: ${headers.cookie}`, `Origin: ${url}`];
    const post = { path: `/api/v1/hubs/${hubId}/messages`, body: JSON.stringify({ text: 'Hello' }) };
    return {
      name: `user ${n}, ${way}, with a ${isToken ? 'token' : 'session'}`,
      address: loopbackAddress(MAX_KEYS + n),
      request: rawRequest({ ...post, host: new URL(url).host, headers: credential }),
      end: ways[way],
      rejected: way === 'removed from the Hub' ? 404 : 401,
    };
  });
}

await runProof({ limitSeconds: 120 + options.keys + options.revocations / 5, counterProofs }, async (proof) => {
  const limit = proof.part('limit', () => proveLimit(proof, options.keys));
  await Promise.all([limit, proof.part('revocation', () => proveRevocations(proof))]);
});
