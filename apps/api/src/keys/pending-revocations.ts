import { AppError } from '../errors.ts';

/** Of a key, a session or an access token. */
interface Revocation {
  id: string;
  at: number;
  /** Writes it with its audit entry. The right to revoke was judged when it was requested. */
  write: () => Promise<unknown>;
}

/** Revocations that the disk did not take. They hold in this process at once, and are written as soon as the disk takes them. */
export class PendingRevocations {
  readonly #pending = new Map<string, Revocation>();

  add(revocation: Revocation): void {
    if (!this.#pending.has(revocation.id)) this.#pending.set(revocation.id, revocation);
  }

  /** When it was revoked; `undefined` if no revocation of it is pending. */
  revokedAt(id: string): number | undefined {
    return this.#pending.get(id)?.at;
  }

  /** Rejects as the store does; what is not written stays pending. */
  async write(): Promise<void> {
    for (const { id, write } of [...this.#pending.values()]) {
      await write();
      this.#pending.delete(id);
    }
  }
}

/** Says that a revocation holds and is not written yet: `what` is "The key is revoked" or the like. */
export function heldInMemory(what: string): AppError {
  return new AppError(
    'unavailable',
    `${what}: from now on the server refuses it. But the server cannot use its disk at the moment, so this is not ` +
      'written yet; it is as soon as the disk works. Until then a restart would bring it back. Free up space, then repeat this to be sure.',
  );
}
