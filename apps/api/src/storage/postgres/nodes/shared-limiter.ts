import { RATE_LIMIT, type Scope } from '@hub/contract';
import { sql } from 'drizzle-orm';
import { AppError } from '../../../platform/errors.ts';
import { type Admission, seconds } from '../../../platform/sliding-window.ts';
import { given, rawQuery } from '../../engine/query.ts';
import type { KeyCredential } from '../../keys.ts';
import type { RequestLimiter } from '../../request-limiter.ts';
import { Batches, type Outcome } from '../engine/batches.ts';
import { numberOrNull, type ReadConnection } from '../engine/connection.ts';

/** Requests that are counted by one statement, which holds the locks of their keys until it ends. */
const MAX_BATCH = 64;
const MAX_RUNS = 2;

type Row = readonly [
  admitted: boolean | null,
  newlyBlocked: boolean | null,
  requests: number | null,
  waitMs: number | null,
];
interface Counted {
  key: KeyCredential;
  counted: Row;
}
type KeyRow = readonly [string, string, string, string, ...(string | null)[]];

const count = rawQuery(
  sql`select admitted, newly_blocked, requests, wait_ms
    from count_request(${given('keyId')}, ${given('now')})`,
  (row: Row) => row,
);

/** Finds keys and counts a request with each, unless it is no longer valid: a single round trip for many requests. */
const findAndCount = rawQuery(
  sql`select n, admitted, newly_blocked, requests, wait_ms,
      id, name, hub_id, scopes, expires_at, overlap_ends_at, revoked_at, deleted_at
    from count_requests(${given('hashes')}::text[], ${given('now')}::double precision)`,
  ([n, admitted, newlyBlocked, requests, waitMs, ...key]: readonly [number, ...Row, ...KeyRow]) => ({
    position: Number(n),
    key: toCredential(key),
    counted: [admitted, newlyBlocked, requests, waitMs] satisfies Row,
  }),
);

/**
 * Limits the requests of each key over all nodes with the rule of `SlidingWindow`, in the database, by its clock, unless
 * `testNow` replaces that.
 */
export function sharedLimiter(on: ReadConnection, testNow: () => number | null = () => null): RequestLimiter {
  const countAll = async (hashes: readonly string[]): Promise<Outcome<Counted | null>[]> => {
    // All nodes lock the windows of keys in the same order.
    const inOrder = hashes.map((hash, index) => ({ hash, index })).sort((one, two) => (one.hash < two.hash ? -1 : 1));
    const values = { hashes: inOrder.map(({ hash }) => hash), now: testNow() };
    const outcomes: Outcome<Counted | null>[] = hashes.map(() => ({ value: null }));
    for (const { position, key, counted } of await on.all(findAndCount, values))
      outcomes[inOrder[position - 1]?.index ?? -1] = { value: { key, counted } };
    return outcomes;
  };
  const requests = new Batches({ run: countAll, maxItems: MAX_BATCH, maxRuns: MAX_RUNS });
  return {
    countRequest: async (tokenHash, { isValid }) => {
      const found = await requests.add(Buffer.from(tokenHash).toString('hex'));
      if (!found) return null;
      return { key: found.key, admission: isValid(found.key) ? toAdmission(found.counted) : null };
    },
    admit: async (keyId) => {
      const row = await on.first(count, { keyId, now: testNow() });
      const admission = row ? toAdmission(row) : null;
      if (!admission) throw new AppError('not_found', `There is no key ${keyId}.`);
      return admission;
    },
    blockedUntil: ({ blockedUntil }, now) => (blockedUntil !== null && blockedUntil > now ? blockedUntil : null),
    unsavedBlocks: new Map(),
    // The database knows all blocks and when they end.
    blocks: () => [],
    forgetEndedBlock: () => {},
  };
}

function toAdmission([admitted, newlyBlocked, requests, waitMs]: Row): Admission | null {
  if (admitted === null) return null;
  const wait = seconds(Number(waitMs));
  if (!admitted) return { admitted, newlyBlocked: newlyBlocked === true, retryAfterSeconds: wait };
  return { admitted, left: RATE_LIMIT.requests - Number(requests), resetSeconds: wait };
}

function toCredential([id, name, hubId, scopes, ...times]: KeyRow): KeyCredential {
  const [expiresAt = null, overlapEndsAt = null, revokedAt = null, hubDeletedAt = null] = times.map(numberOrNull);
  return { id, name, hubId, scopes: scopes.split(' ') as Scope[], expiresAt, overlapEndsAt, revokedAt, hubDeletedAt };
}
