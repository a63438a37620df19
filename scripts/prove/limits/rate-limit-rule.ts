import { postRequest, type RawResponse, rawRequest } from '@hub/testkit';

interface RuleNumbers {
  readonly requests: number;
  readonly windowMs: number;
  readonly blockMs: number;
  /** The behavior of a wrong rule, which differs from the product's. */
  readonly wrong?: 'a request extends the block' | 'requests of a block count';
}

export const PUBLISHED: RuleNumbers = { requests: 60, windowMs: 60_000, blockMs: 300_000 };

/** Rules that differ slightly from the published one. The observed responses must contradict each of them. */
export const WRONG_RULES: Readonly<Record<string, RuleNumbers>> = {
  '59 requests': { ...PUBLISHED, requests: 59 },
  '61 requests': { ...PUBLISHED, requests: 61 },
  'a window of 59,999 ms': { ...PUBLISHED, windowMs: 59_999 },
  'a window of 60,001 ms': { ...PUBLISHED, windowMs: 60_001 },
  'a block of 299,999 ms': { ...PUBLISHED, blockMs: 299_999 },
  'a block of 300,001 ms': { ...PUBLISHED, blockMs: 300_001 },
  'a block that requests extend': { ...PUBLISHED, wrong: 'a request extends the block' },
  'requests of a block that count': { ...PUBLISHED, wrong: 'requests of a block count' },
};

/**
 * A literal implementation of the published rule for one key, without regard to speed or memory. All times are in
 * milliseconds of the same clock.
 */
export class Rule {
  readonly #numbers: RuleNumbers;
  #counted: number[] = [];
  #blockedAt = Number.NEGATIVE_INFINITY;

  constructor(numbers: RuleNumbers) {
    this.#numbers = numbers;
  }

  /** Returns the expected result of a request at this time. */
  check(now: number): string {
    const { requests, windowMs, blockMs, wrong } = this.#numbers;
    if (now < this.#blockedAt + blockMs) {
      if (wrong === 'a request extends the block') this.#blockedAt = now;
      if (wrong === 'requests of a block count') this.#counted.push(now);
      return rejected(this.#blockedAt + blockMs - now);
    }
    const inWindow = this.#counted.filter((at) => at > now - windowMs);
    if (inWindow.length >= requests) {
      this.#blockedAt = now;
      this.#counted = [];
      return rejected(blockMs);
    }
    this.#counted = [...inWindow, now];
    const oldest = this.#counted[0] ?? now;
    return passed(requests - this.#counted.length, oldest + windowMs - now);
  }

  /** Returns the milliseconds until the end of the block; 0 if the key is not blocked. */
  blockLeft(now: number): number {
    return Math.max(0, this.#blockedAt + this.#numbers.blockMs - now);
  }

  /** Applies a server restart: the window does not have to survive it, and does not. */
  forgetWindow(): void {
    this.#counted = [];
  }
}

function passed(left: number, resetMs: number): string {
  return `passed, RateLimit "default";r=${left};t=${Math.ceil(resetMs / 1000)}`;
}

function rejected(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  return `refused, RateLimit "default";r=0;t=${seconds}, Retry-After ${seconds}`;
}

/** The limit in responses for a key 1.5 s after its block began, and for a key that was never blocked. */
export const BLOCKED_SINCE = 'refused, RateLimit "default";r=0;t=299, Retry-After 299';
export const UNBLOCKED = 'passed, RateLimit "default";r=59;t=60';

/** A way to use up one of the sixty requests. The keys of this proof can only create messages. */
export interface Kind {
  readonly name: string;
  readonly status: number;
  /** The average number of requests of this kind among a hundred. */
  readonly share: number;
  readonly request: (key: string) => string;
}

const TOO_LONG = 'x'.repeat(1_048_577);
const BODY = JSON.stringify({ text: 'Hello' });

const raw = (bearer: string, { path = '/messages', ...parts }: Partial<Parameters<typeof rawRequest>[0]>): string =>
  rawRequest({ bearer, path: `/api/public/v1${path}`, ...parts });

export const MESSAGE: Kind = {
  name: 'a message',
  status: 201,
  share: 40,
  request: (key) => postRequest('messages', key, 'Hello'),
};

const KINDS: readonly Kind[] = [
  MESSAGE,
  { name: 'a scope that is missing', status: 403, share: 12, request: (key) => postRequest('notes', key, 'Hello') },
  { name: 'an unknown path', status: 404, share: 12, request: (key) => raw(key, { path: '/nothing', body: BODY }) },
  { name: 'another method', status: 405, share: 12, request: (key) => raw(key, { method: 'GET' }) },
  { name: 'a form', status: 415, share: 12, request: (key) => raw(key, { contentType: 'text/plain', body: 'text=x' }) },
  { name: 'broken JSON', status: 400, share: 11.7, request: (key) => raw(key, { body: '{"text": ' }) },
  { name: 'a body that is too large', status: 413, share: 0.3, request: (key) => raw(key, { body: TOO_LONG }) },
];

/** Chooses a kind at random, weighted by the shares. */
export function anyKind(random: () => number): Kind {
  let left = random() * KINDS.reduce((sum, { share }) => sum + share, 0);
  for (const kind of KINDS) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return MESSAGE;
}

const POLICY = '"default";q=60;w=60';

/**
 * Returns the limit that a response reports, in the format of `Rule`, or a problem if the response has another form.
 */
export function limitIn(response: RawResponse, kind: Kind): string {
  const [policy, limit, retryAfter] = ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) =>
    response.header(name),
  );
  if (policy !== POLICY) return `${response.status} with RateLimit-Policy ${policy}`;
  if (retryAfter !== null && response.status === 403) return `refused, RateLimit ${limit}, Retry-After ${retryAfter}`;
  if (response.status === kind.status && retryAfter === null) return `passed, RateLimit ${limit}`;
  return `${kind.name} returned ${response.status}, RateLimit ${limit}, Retry-After ${retryAfter}`;
}
