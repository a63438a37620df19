import type { Clock } from '../core/ports.ts';
import type { UserCredential } from '../storage/users-store.ts';

declare module '../context/deps.ts' {
  interface Deps {
    credentialUse: CredentialUses;
  }
}

/** A session ends when it has not been used for this long. */
export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** A session ends at this age, however much it is used. */
export const MAX_SESSION_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** Usage of a session or a token since usage was last saved. */
export interface CredentialUse {
  kind: 'session' | 'token';
  id: string;
  personId: string;
  at: number;
  address: string;
  /** The new expiry of a session. */
  expiresAt: number | null;
}

/** The precision of "last used". */
const RECORD_INTERVAL_MS = 60_000;
const MAX_RECORDED = 100_000;

/**
 * Collects the usage of sessions and tokens, so that requests cost no writes. The usage of each is saved at most once a
 * minute.
 */
export class CredentialUses {
  readonly #clock: Clock;
  readonly #recordedAt = new Map<string, number>();
  #pending = new Map<string, CredentialUse>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record({ kind, id, user }: UserCredential, address: string): void {
    const now = this.#clock.monotonic();
    const recordedAt = this.#recordedAt.get(id);
    if (recordedAt !== undefined && now - recordedAt < RECORD_INTERVAL_MS) return;
    if (this.#recordedAt.size >= MAX_RECORDED) this.#recordedAt.clear();
    this.#recordedAt.set(id, now);
    const at = this.#clock.now();
    const expiresAt = kind === 'session' ? at + SESSION_LIFETIME_MS : null;
    this.#pending.set(id, { kind, id, personId: user.id, at, address, expiresAt });
  }

  /** Returns and clears the uses that are not saved yet. If saving them fails, pass them to `restore`. */
  take(): CredentialUse[] {
    const taken = [...this.#pending.values()];
    this.#pending = new Map();
    return taken;
  }

  restore(uses: readonly CredentialUse[]): void {
    for (const use of uses) if (!this.#pending.has(use.id)) this.#pending.set(use.id, use);
  }
}
