import { RATE_LIMIT, type Scope } from '@hub/contract';
import { sql } from 'drizzle-orm';
import { AppError } from '../../../core/errors.ts';
import type { CountedRequest, RequestLimiter } from '../../../keys/key-limiter.ts';
import { type Admission, seconds } from '../../../keys/sliding-window.ts';
import type { KeyCredential, KeyReads, KeyRecord, NewBlock } from '../../key-store.ts';
import { type ReadConnection, rawStatement } from '../engine/database.ts';

type Row = readonly [
  admitted: boolean | null,
  newlyBlocked: boolean | null,
  requests: number | null,
  waitMs: number | null,
];
type KeyRow = readonly [string, string, string, string, ...(string | null)[]];

const now = sql`coalesce(${sql.placeholder('now')}::double precision, extract(epoch from clock_timestamp()) * 1000)`;

const count = rawStatement(
  sql`select admitted, newly_blocked, requests, wait_ms
    from count_request(${sql.placeholder('keyId')}, ${sql.placeholder('now')})`,
  (row: Row) => row,
);

/** Finds a key and counts a request with it, unless it is no longer valid: a single round trip. */
const findAndCount = rawStatement(
  sql`select counted.admitted, counted.newly_blocked, counted.requests, counted.wait_ms,
      key.id, key.name, key.hub_id, key.scopes, key.expires_at, key.overlap_ends_at, key.revoked_at, hub.deleted_at
    from api_keys key
    join hubs hub on hub.id = key.hub_id
    left join lateral count_request(
      case when key.revoked_at is null and (key.expires_at is null or key.expires_at > ${now})
        and (key.overlap_ends_at is null or key.overlap_ends_at > ${now}) then key.id end,
      ${sql.placeholder('now')}) counted on true
    where key.token_hash = ${sql.placeholder('tokenHash')}`,
  ([admitted, newlyBlocked, requests, waitMs, ...key]: readonly [...Row, ...KeyRow]) => ({
    key: toCredential(key),
    counted: [admitted, newlyBlocked, requests, waitMs] satisfies Row,
  }),
);

/**
 * Limits the requests of each key over all nodes, with the rule of `SlidingWindow`. The windows and blocks are rows of
 * the database, and its clock decides: `count_request` locks the row of the key, reads the clock and counts the request.
 */
export class SharedLimiter implements RequestLimiter {
  readonly unsavedBlocks = new Map<string, NewBlock>();
  readonly #on: ReadConnection;
  readonly #testNow: () => number | null;

  /** `testNow` replaces the clock of the database. */
  constructor(on: ReadConnection, testNow: () => number | null = () => null) {
    this.#on = on;
    this.#testNow = testNow;
  }

  async countRequest(
    tokenHash: Uint8Array,
    { isValid }: Pick<KeyReads, 'findByTokenHash'> & { isValid: (key: KeyCredential) => boolean },
  ): Promise<CountedRequest | null> {
    const found = await this.#on.first(findAndCount, { tokenHash, now: this.#testNow() });
    if (!found) return null;
    return { key: found.key, admission: isValid(found.key) ? toAdmission(found.counted) : null };
  }

  async admit(keyId: string): Promise<Admission> {
    const row = await this.#on.first(count, { keyId, now: this.#testNow() });
    const admission = row ? toAdmission(row) : null;
    if (!admission) throw new AppError('not_found', `There is no key ${keyId}.`);
    return admission;
  }

  blockedUntil({ blockedUntil }: Pick<KeyRecord, 'blockedUntil'>, now: number): number | null {
    return blockedUntil !== null && blockedUntil > now ? blockedUntil : null;
  }

  /** The database knows all blocks and when they end. */
  blocks(): [] {
    return [];
  }

  forgetEndedBlock(): void {}
}

function toAdmission([admitted, newlyBlocked, requests, waitMs]: Row): Admission | null {
  if (admitted === null) return null;
  const wait = seconds(Number(waitMs));
  if (!admitted) return { admitted, newlyBlocked: newlyBlocked === true, retryAfterSeconds: wait };
  return { admitted, left: RATE_LIMIT.requests - Number(requests), resetSeconds: wait };
}

function toCredential([
  id,
  name,
  hubId,
  scopes,
  expiresAt,
  overlapEndsAt,
  revokedAt,
  hubDeletedAt,
]: KeyRow): KeyCredential {
  const time = (value: string | null | undefined) => (value == null ? null : Number(value));
  return {
    id,
    name,
    hubId,
    scopes: scopes.split(' ') as Scope[],
    expiresAt: time(expiresAt),
    overlapEndsAt: time(overlapEndsAt),
    revokedAt: time(revokedAt),
    hubDeletedAt: time(hubDeletedAt),
  };
}
