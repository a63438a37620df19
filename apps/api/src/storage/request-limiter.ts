import type { Admission } from '../platform/sliding-window.ts';
import type { KeyCredential, KeyReads, KeyRecord, NewBlock } from './keys.ts';

export interface CountedRequest {
  key: KeyCredential;
  /** `null`: the key is not valid, so the request is not counted. */
  admission: Admission | null;
}

/** Limits the requests of each key: in memory (`KeyLimiter`), or for all nodes in their database (`sharedLimiter`). */
export interface RequestLimiter {
  /** Finds the key for the hash of its token, and counts this request if `isValid`. Returns `null` if there is none. */
  countRequest(
    tokenHash: Uint8Array,
    find: Pick<KeyReads, 'findByTokenHash'> & { isValid: (key: KeyCredential) => boolean },
  ): Promise<CountedRequest | null>;
  /** Counts one request with this key, and returns whether it is admitted. */
  admit(keyId: string): Admission | Promise<Admission>;
  /** When the block of this key ends, by a clock that shows `now`; `null` if it is not blocked. */
  blockedUntil(key: Pick<KeyRecord, 'id' | 'blockedUntil'>, now: number): number | null;
  /** Blocks that could not be saved when they began. Each is retried with its audit entry. */
  readonly unsavedBlocks: Map<string, NewBlock>;
  /** Active blocks, and ended ones whose end must be saved, if this process alone knows them. */
  blocks(): { keyId: string; remainingMs: number }[];
  forgetEndedBlock(keyId: string): void;
}
