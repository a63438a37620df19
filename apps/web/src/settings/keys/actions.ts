import type { ApiKey, IssuedKey } from '@hub/contract';

/** The result for the previous keys of a key that was revoked or replaced. */
export interface OlderOutcome {
  revokedCount: number;
  /** Keys that still work. */
  left: readonly ApiKey[];
}

/** The action whose dialog is open. */
export type KeyAction =
  /** `instead`: a key with permissions it does not use; the new key replaces it. */
  | { kind: 'issue'; hubId?: string; instead?: ApiKey }
  | { kind: 'rotate'; key: ApiKey; isForExpiry?: boolean }
  | { kind: 'revoke'; key: ApiKey; how: RevokeKind }
  | { kind: 'once'; issued: IssuedKey; title: string; next: string; after: KeyAction | null }
  /** `outcome`: set if the key was just revoked or replaced; says what happened to its previous keys. */
  | { kind: 'remove'; key: ApiKey; outcome: OlderOutcome | null };

/** `revoke-old`: revokes a key that already has a successor, before its 24 hours are over. */
export type RevokeKind = 'revoke' | 'replace' | 'revoke-old';

export type StartAction = (action: KeyAction) => void;
