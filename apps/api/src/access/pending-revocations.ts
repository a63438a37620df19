import { AppError } from '../platform/errors.ts';

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
