import type { IssuedKey } from '@hub/contract';
import type { Admin, Expected, PostKind } from '@hub/testkit';

const HUBS = 10;

/** Everything this process knows about a data folder, recorded independently of the servers that used it. */
export interface DiskLedger extends Expected {
  readonly keys: readonly IssuedKey[];
  /** Maps the text of each sent post, which is unique, to the kind and key of the post. */
  readonly sent: Map<string, { kind: PostKind; keyId: string }>;
  readonly acknowledged: Map<string, string>;
  readonly issued: Set<string>;
  /** The text of each post that got a 503, which means that the post is not stored. */
  readonly rejected: Set<string>;
  /** Unexpected and missing responses. */
  readonly unexpected: string[];
}

export async function newLedger(admin: Admin, keyCount: number): Promise<DiskLedger> {
  const keys = await admin.issueKeys(await admin.createHubs(HUBS), keyCount);
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
