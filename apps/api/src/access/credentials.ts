import { BASE62, buildToken, RANDOM_CHARACTERS } from '@hub/contract';
import { AppError } from '../platform/errors.ts';
import type { Clock, Random } from '../platform/ports.ts';
import { DAY_MS } from '../platform/time.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { UserCredential } from '../storage/sessions-and-tokens.ts';
import type { Store } from '../storage/store.ts';

/** A session ends when it has not been used for this long. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** A session ends at this age, however much it is used. */
const MAX_SESSION_AGE_MS = 90 * DAY_MS;

interface CredentialUse {
  kind: 'session' | 'token';
  id: string;
  userId: string;
  at: number;
  address: string;
  expiresAt: number | null;
}

/** The precision of "last used". */
const RECORD_INTERVAL_MS = 60_000;
const MAX_RECORDED = 100_000;

/** Collects the usage of sessions and tokens, so that requests cost no writes. Each is saved once a minute at most. */
export class CredentialUses {
  readonly #recordedAt = new Map<string, number>();
  #pending = new Map<string, CredentialUse>();

  constructor(private readonly clock: Clock) {}

  record({ kind, id, user }: UserCredential, address: string): void {
    const now = this.clock.monotonic();
    const recordedAt = this.#recordedAt.get(id);
    if (recordedAt !== undefined && now - recordedAt < RECORD_INTERVAL_MS) return;
    if (this.#recordedAt.size >= MAX_RECORDED) this.#recordedAt.clear();
    this.#recordedAt.set(id, now);
    const at = this.clock.now();
    const expiresAt = kind === 'session' ? at + SESSION_LIFETIME_MS : null;
    this.#pending.set(id, { kind, id, userId: user.id, at, address, expiresAt });
  }

  /** Returns and clears the uses that are not saved yet. If saving them fails, pass them to `restore`. */
  take(): CredentialUse[] {
    const uses = [...this.#pending.values()];
    this.#pending = new Map();
    return uses;
  }

  restore(uses: readonly CredentialUse[]): void {
    for (const use of uses) if (!this.#pending.has(use.id)) this.#pending.set(use.id, use);
  }
}

/** Few enough that the posts in the same batch do not wait long. */
const USES_PER_TRANSACTION = 200;

/** Saves which sessions and tokens were used, as flush-keys.ts does for keys. */
export async function flushUsers({
  store,
  credentialUse,
}: {
  store: Store;
  credentialUse: CredentialUses;
}): Promise<void> {
  const uses = credentialUse.take();
  if (uses.length === 0) return;
  for (let from = 0; from < uses.length; from += USES_PER_TRANSACTION) {
    try {
      const part = uses.slice(from, from + USES_PER_TRANSACTION);
      const saved = await store.transaction(async (tx) => {
        const free = new Set(await tx.users.lockFree(part.map(({ userId }) => userId)));
        for (const use of part) if (free.has(use.userId)) await saveUse(tx, use);
        return free;
      });
      // Waiting for a user who is just changing something would hold up all others whose uses are saved here.
      credentialUse.restore(part.filter(({ userId }) => !saved.has(userId)));
    } catch (error) {
      credentialUse.restore(uses.slice(from));
      throw error;
    }
  }
}

/** Saves one use. No time moves back, and a session or token that has ended stays ended. */
async function saveUse(tx: Repositories, { kind, id, userId, at, address, expiresAt }: CredentialUse): Promise<void> {
  await tx.users.seen(userId, at);
  const session = kind === 'session' ? await tx.sessions.find(id) : null;
  if (session) {
    const extended = Math.max(session.expiresAt, expiresAt ?? 0);
    await tx.sessions.update(id, {
      lastUsedAt: Math.max(session.lastUsedAt, at),
      expiresAt: Math.min(extended, session.createdAt + MAX_SESSION_AGE_MS),
      address,
    });
  }
  const token = kind === 'token' ? await tx.tokens.find(id) : null;
  if (token) await tx.tokens.update(id, { lastUsedAt: Math.max(token.lastUsedAt ?? 0, at), lastUsedAddress: address });
}

/** The largest multiple of 62 that fits in a byte. Higher bytes are discarded, so each character is equally likely. */
const FAIR_BYTES = 248;

/** Returns a new secret in the format of `contract/key-token.ts`. */
export function generateToken(prefix: string, random: Random): string {
  let characters = '';
  while (characters.length < RANDOM_CHARACTERS) {
    for (const byte of random.bytes(RANDOM_CHARACTERS)) {
      if (byte < FAIR_BYTES && characters.length < RANDOM_CHARACTERS) characters += BASE62.charAt(byte % 62);
    }
  }
  return buildToken(prefix, characters);
}

/** Returns the SHA-256 of a token, 32 bytes. For 202 random bits it is enough, and a look-up by it reveals no guess. */
export function hashToken(token: string): Buffer {
  return Bun.CryptoHasher.hash('sha256', token);
}

interface Revocation {
  id: string;
  at: number;
  /** Saves the revocation with its audit entry. The right to revoke was checked when it was requested. */
  save: () => Promise<unknown>;
}

/** Revocations that could not be saved. They are in effect immediately, and saved once the disk works again. */
export class PendingRevocations {
  readonly #pending = new Map<string, Revocation>();

  add(revocation: Revocation): void {
    if (!this.#pending.has(revocation.id)) this.#pending.set(revocation.id, revocation);
  }

  /** When it was revoked; `undefined` if it has no pending revocation. */
  revokedAt(id: string): number | undefined {
    return this.#pending.get(id)?.at;
  }

  /** Saves all pending revocations. Rejects with the store's error; those that were not saved stay pending. */
  async save(): Promise<void> {
    for (const { id, save } of [...this.#pending.values()]) {
      await save();
      this.#pending.delete(id);
    }
  }
}

/** Returns the error for a revocation that is in effect but not saved. `what` is "The key is revoked", for example. */
export function revocationNotSaved(what: string): AppError {
  return new AppError(
    'unavailable',
    `${what} and no longer works. But the server cannot use its database at the moment, so this is not ` +
      'saved yet; it will be saved when the database works. A restart before then would undo it. If the disk is full, free up space. Then repeat this to be sure.',
  );
}
