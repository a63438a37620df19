import type { ApiKey, IssuedKey } from '@hub/contract';

/** What has become of the keys that worked beside one that was stopped. */
export interface OlderOutcome {
  endedCount: number;
  /** Those that work all the same. */
  left: readonly ApiKey[];
}

/** What somebody is about to do: one dialog at a time. */
export type KeyAction =
  /** `instead`: a key that may create more than it does, in whose place this one comes. */
  | { kind: 'issue'; hubId?: string; instead?: ApiKey }
  | { kind: 'rotate'; key: ApiKey; isForExpiry?: boolean }
  | { kind: 'stop'; key: ApiKey; how: StopKind }
  | { kind: 'once'; issued: IssuedKey; title: string; next: string; after: KeyAction | null }
  /** `stopped`: it was stopped just now, and this is what is left to do; with what became of the keys before it. */
  | { kind: 'remove'; key: ApiKey; stopped: OlderOutcome | null };

/** `end`: it has a successor already, and is not waited for any longer. */
export type StopKind = 'revoke' | 'replace' | 'end';

export type Begin = (action: KeyAction) => void;
