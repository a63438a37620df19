import type { IssuedKey } from '../../../packages/contract/src/index.ts';
import type { Admin } from '../admin.ts';
import type { PostKind } from '../connection.ts';
import type { Expected } from '../crash-inspect.ts';
import { makeKeys } from '../crash-load.ts';

/** Everything this process knows about a data folder, independent of the servers that used it. */
export interface DiskLedger extends Expected {
  readonly keys: readonly IssuedKey[];
  /** By its text, which no other post has. */
  readonly sent: Map<string, { kind: PostKind; keyId: string }>;
  readonly acknowledged: Map<string, string>;
  readonly issued: Set<string>;
  /** The texts of posts that got a 503: according to the server nothing was stored. */
  readonly rejected: Set<string>;
  /** Answers that should not be, and answers that did not come. */
  readonly unexpected: string[];
}

export async function newLedger(admin: Admin, keyCount: number): Promise<DiskLedger> {
  const keys = await makeKeys(admin, keyCount);
  const sent: DiskLedger['sent'] = new Map();
  return {
    keys,
    sent,
    sentAs: (text) => sent.get(text),
    acknowledged: new Map(),
    issued: new Set(keys.map(({ id }) => id)),
    revoked: new Set(),
    rejected: new Set(),
    unexpected: [],
  };
}
