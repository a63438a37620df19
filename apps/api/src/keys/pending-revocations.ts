import type { AuditRecord } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';

interface Revocation {
  keyId: string;
  at: number;
  audit: AuditRecord;
}

/** Revocations that the disk did not take. They hold in this process at once, and are written as soon as the disk takes them. */
export class PendingRevocations {
  readonly #pending = new Map<string, Revocation>();

  add(revocation: Revocation): void {
    if (!this.#pending.has(revocation.keyId)) this.#pending.set(revocation.keyId, revocation);
  }

  /** When the key was revoked; `undefined` if no revocation of it is pending. */
  revokedAt(keyId: string): number | undefined {
    return this.#pending.get(keyId)?.at;
  }

  /** Rejects as the store does; what is not written stays pending. The right to revoke was judged when it was asked. */
  async write({ keys }: Pick<Store, 'keys'>): Promise<void> {
    for (const revocation of [...this.#pending.values()]) {
      await keys.revoke(revocation);
      this.#pending.delete(revocation.keyId);
    }
  }
}
