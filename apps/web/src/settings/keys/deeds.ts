import type { ApiKey, IssuedKey } from '@hub/contract';

/** What somebody is about to do: one dialog at a time. */
export type Deed =
  | { kind: 'issue'; hubId?: string }
  | { kind: 'rotate'; key: ApiKey; isForExpiry?: boolean }
  | { kind: 'stop'; key: ApiKey; how: StopKind }
  | { kind: 'once'; issued: IssuedKey; title: string; next: string; after: Deed | null }
  /** `isStopped`: it was stopped just now, and this is what is left to do. */
  | { kind: 'remove'; key: ApiKey; isStopped: boolean };

/** `end`: it has a successor already, and is not waited for any longer. */
export type StopKind = 'revoke' | 'replace' | 'end';

export type Begin = (deed: Deed) => void;
