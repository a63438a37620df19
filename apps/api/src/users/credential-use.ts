import type { Clock } from '../ports.ts';
import type { CredentialUse, UserCredential } from '../store/users-store.ts';

/** A session ends when it was not used for so long. */
export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** However much it is used, it ends when it is this old. */
export const MAX_SESSION_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** How exact "last used" is. */
const NOTE_AFTER_MS = 60_000;
const MAX_NOTED = 100_000;

/** Gathers the use of sessions and tokens, so that a request does not cost a write: each is written down once a minute. */
export class CredentialUses {
  readonly #clock: Clock;
  readonly #notedAt = new Map<string, number>();
  #pending = new Map<string, CredentialUse>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ kind, id, user }: UserCredential, address: string): void {
    const now = this.#clock.monotonic();
    const notedAt = this.#notedAt.get(id);
    if (notedAt !== undefined && now - notedAt < NOTE_AFTER_MS) return;
    if (this.#notedAt.size >= MAX_NOTED) this.#notedAt.clear();
    this.#notedAt.set(id, now);
    const at = this.#clock.now();
    const expiresAt = kind === 'session' ? at + SESSION_LIFETIME_MS : null;
    this.#pending.set(id, { kind, id, personId: user.id, at, address, expiresAt });
  }

  /** What is not written down yet. It is forgotten here; who cannot write it down gives it back to `restore`. */
  take(): CredentialUse[] {
    const taken = [...this.#pending.values()];
    this.#pending = new Map();
    return taken;
  }

  restore(uses: readonly CredentialUse[]): void {
    for (const use of uses) if (!this.#pending.has(use.id)) this.#pending.set(use.id, use);
  }
}
