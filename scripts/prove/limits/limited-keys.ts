import { randomInt } from 'node:crypto';
import {
  type ManualClockServer,
  postRequest,
  type RawResponse,
  RequestLoad,
  rawRequest,
  sendEach,
  shuffle,
  type TimedResponse,
} from '@hub/testkit';

export const LIMIT = { requests: 60, windowMs: 60_000, blockMs: 300_000 } as const;
const HUBS = 10;
const POLICY = '"default";q=60;w=60';

/** The limit in responses for a key 1.5 s after its block began, and for a key that was never blocked. */
export const BLOCKED_SINCE = 'rejected, RateLimit "default";r=0;t=299, Retry-After 299';
export const UNBLOCKED = 'passed, RateLimit "default";r=59;t=60';

/**
 * A literal implementation of the published rule for one key, without regard to speed or memory. All times are in
 * milliseconds of the same clock.
 */
class Rule {
  #counted: number[] = [];
  #blockedAt = Number.NEGATIVE_INFINITY;

  /** Returns the expected result of a request at this time. */
  check(now: number): string {
    const { requests, windowMs } = LIMIT;
    if (this.blockLeft(now) > 0) return this.#rejected(now);
    this.#counted = this.#counted.filter((at) => at > now - windowMs);
    if (this.#counted.length >= requests) {
      this.#blockedAt = now;
      this.#counted = [];
      return this.#rejected(now);
    }
    this.#counted.push(now);
    const resetMs = (this.#counted[0] ?? now) + windowMs - now;
    return `passed, RateLimit "default";r=${requests - this.#counted.length};t=${Math.ceil(resetMs / 1000)}`;
  }

  /** Returns the milliseconds until the end of the block; 0 if the key is not blocked. */
  blockLeft(now: number): number {
    return Math.max(0, this.#blockedAt + LIMIT.blockMs - now);
  }

  /** Applies a server restart: the window does not have to survive it, and does not. */
  forgetWindow(): void {
    this.#counted = [];
  }

  #rejected(now: number): string {
    const seconds = Math.ceil(this.blockLeft(now) / 1000);
    return `rejected, RateLimit "default";r=0;t=${seconds}, Retry-After ${seconds}`;
  }
}

/** A way to use up one of the sixty requests. The keys can only create messages. */
interface RequestKind {
  readonly status: number;
  /** The average number of requests of this kind among a hundred. */
  readonly share: number;
  readonly request: (key: string) => string;
}

const raw = (bearer: string, { path = '/messages', ...parts }: Partial<Parameters<typeof rawRequest>[0]>): string =>
  rawRequest({ bearer, path: `/api/public/v1${path}`, ...parts });
const TOO_LONG = 'x'.repeat(1_048_577);

const MESSAGE: RequestKind = { status: 201, share: 40, request: (key) => postRequest('messages', key, 'Hello') };
const KINDS: readonly RequestKind[] = [
  MESSAGE,
  // No scope, an unknown path, another method, another type, broken JSON, and a body that is too large.
  { status: 403, share: 12, request: (key) => postRequest('notes', key, 'Hello') },
  { status: 404, share: 12, request: (key) => raw(key, { path: '/nothing', body: '{"text":"Hello"}' }) },
  { status: 405, share: 12, request: (key) => raw(key, { method: 'GET' }) },
  { status: 415, share: 12, request: (key) => raw(key, { contentType: 'text/plain', body: 'text=x' }) },
  { status: 400, share: 11.7, request: (key) => raw(key, { body: '{"text": ' }) },
  { status: 413, share: 0.3, request: (key) => raw(key, { body: TOO_LONG }) },
];

/** Chooses a kind at random, weighted by the shares. */
function anyKind(): RequestKind {
  let left = Math.random() * KINDS.reduce((sum, { share }) => sum + share, 0);
  for (const kind of KINDS) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return MESSAGE;
}

/** Returns the limit that a response reports, in the format of `Rule`, or a problem if it has another form. */
function limitIn(response: RawResponse, kind: RequestKind): string {
  const [policy, limit, retryAfter] = ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) =>
    response.header(name),
  );
  if (policy !== POLICY) return `${response.status} with RateLimit-Policy ${policy}`;
  if (retryAfter !== null && response.status === 403) return `rejected, RateLimit ${limit}, Retry-After ${retryAfter}`;
  if (response.status === kind.status && retryAfter === null) return `passed, RateLimit ${limit}`;
  return `${response.status} in place of ${kind.status}, RateLimit ${limit}, Retry-After ${retryAfter}`;
}

interface LimitedKey {
  readonly key: string;
  readonly rule: Rule;
}

/** The keys of a server with a stopped clock, and their expected state according to the published rule. */
export class LimitedKeys {
  readonly problems: string[] = [];
  responses = 0;
  passed = 0;
  readonly #server: ManualClockServer;
  readonly #load = new RequestLoad();
  readonly #keys: readonly LimitedKey[];

  private constructor(server: ManualClockServer, keys: readonly LimitedKey[]) {
    this.#server = server;
    this.#keys = keys;
  }

  static async issue(server: ManualClockServer, count: number): Promise<LimitedKeys> {
    const hubIds = await server.admin.createHubs(HUBS);
    const issued = await server.admin.issueKeys(hubIds, count, ['messages:create']);
    return new LimitedKeys(
      server,
      issued.map(({ key }) => ({ key, rule: new Rule() })),
    );
  }

  close(): void {
    this.#load.close();
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Returns the remaining milliseconds of each blocked key. */
  get blocksLeft(): number[] {
    return this.#keys.map(({ rule }) => rule.blockLeft(this.#server.nowMs)).filter((left) => left > 0);
  }

  /** Applies a server restart to the rules: blocks survive it, windows do not. */
  serverWasStarted(): void {
    for (const { rule } of this.#keys) rule.forgetWindow();
  }

  /**
   * Sends this many requests with each key at a single instant of the server's clock, over all connections and in
   * random order.
   */
  async send(count: (n: number) => number): Promise<void> {
    const sent = this.#keys.flatMap((owner, n) => Array.from({ length: count(n) }, () => ({ owner, kind: anyKind() })));
    const order = shuffle(Array.from(sent.keys()), Math.random).map((index) => sent[index] as (typeof sent)[number]);
    const requests = order.map(({ owner, kind }) => ({ request: kind.request(owner.key) }));
    const responses = await this.#load.send(this.#server.port, requests);
    const outcomes = Map.groupBy(order.keys(), (index) => (order[index] as (typeof sent)[number]).owner);
    for (const [owner, indexes] of outcomes) {
      const seen = indexes.map((index) =>
        limitIn((responses[index] as TimedResponse).response, (order[index] as (typeof sent)[number]).kind),
      );
      this.#check(owner, seen);
    }
  }

  /**
   * Sends one request per key, and runs `end` after some of the responses. Returns the keys that were blocked according
   * to their response.
   */
  async sendUntilEnd(end: () => Promise<unknown>): Promise<boolean[]> {
    const isBlocked = this.#keys.map(() => false);
    let left = randomInt(this.#keys.length);
    let ending: Promise<unknown> | undefined;
    await this.#sendMessages((limit, n) => {
      isBlocked[n] = limit.startsWith('rejected');
      left -= 1;
      if (left < 0) ending ??= end();
    });
    await ending;
    return isBlocked;
  }

  /** Sends one request per key and returns the limits in the responses, without comparing them with the rule. */
  async ask(): Promise<string[]> {
    const limits: string[] = [];
    await this.#sendMessages((limit, n) => {
      limits[n] = limit;
    });
    return limits;
  }

  #sendMessages(onLimit: (limit: string, n: number) => void): Promise<void> {
    const requests = this.#keys.map(({ key }) => MESSAGE.request(key));
    return sendEach(this.#server.port, requests, (response, n) => onLimit(limitIn(response, MESSAGE), n));
  }

  /** Compares the outcomes regardless of their order, since the order of requests at the same instant is unknown. */
  #check({ rule }: LimitedKey, responses: readonly string[]): void {
    const seen = responses.toSorted();
    const due = responses.map(() => rule.check(this.#server.nowMs)).sort();
    const different = seen.findIndex((response, index) => response !== due[index]);
    if (different >= 0) {
      this.problems.push(`${seen.length} requests at once: "${seen[different]}" in place of "${due[different]}"`);
    }
    this.responses += responses.length;
    this.passed += responses.filter((response) => response.startsWith('passed')).length;
  }
}
