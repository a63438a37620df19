import type { IssuedKey } from '../../packages/contract/src/index.ts';
import type { Admin } from './admin.ts';
import { idOf, openConnection, POST_KINDS, type PostKind, postRequest } from './connection.ts';

const HUBS = 10;
const CONNECTIONS = 24;
/** What a key may send in a minute. A new server process begins with empty windows. */
const POSTS_PER_KEY = 60;

export interface SentPost {
  readonly kind: PostKind;
  readonly keyId: string;
}

/** What this process knows of a data folder, whatever became of the servers that had it. */
export interface Ledger {
  readonly keys: readonly IssuedKey[];
  /** By its text, which no other post has. */
  readonly sent: Map<string, SentPost>;
  /** From the id in a 201 to the text. */
  readonly acknowledged: Map<string, string>;
  readonly issued: Set<string>;
  readonly revoked: Set<string>;
  /** Answers other than a 201 or a broken connection. */
  readonly unexpected: string[];
}

export async function newLedger(admin: Admin, keyCount: number): Promise<Ledger> {
  const hubs = await Promise.all(Array.from({ length: HUBS }, (_, n) => admin.createHub(`Hub ${n}`)));
  const issue = (_: unknown, n: number) => admin.issueKey(hubs[n % HUBS]?.id ?? '', `key ${n}`);
  const keys = await Promise.all(Array.from({ length: keyCount }, issue));
  return {
    keys,
    sent: new Map(),
    acknowledged: new Map(),
    issued: new Set(keys.map(({ id }) => id)),
    revoked: new Set(),
    unexpected: [],
  };
}

/** Posts over many connections, and issues and revokes keys meanwhile, until the server is gone or the keys are spent. */
export async function load(ledger: Ledger, admin: Admin, port: number): Promise<void> {
  const budget = { left: ledger.keys.length * POSTS_PER_KEY };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const posting = connections.map(async (connection) => {
    while (budget.left > 0) {
      budget.left -= 1;
      const key = ledger.keys[budget.left % ledger.keys.length] as IssuedKey;
      const serial = ledger.sent.size + 1;
      const kind = POST_KINDS[serial % POST_KINDS.length] as PostKind;
      // Of very different lengths, so that pages are filled and left in many ways.
      const text = `Post ${serial} ${'x'.repeat((serial * 37) % 200)}`;
      ledger.sent.set(text, { kind, keyId: key.id });
      const answer = await connection.send(postRequest(kind, key.key, text)).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 201) ledger.acknowledged.set(idOf(answer), text);
      else ledger.unexpected.push(`${answer.status} ${answer.body}`);
    }
  });
  await Promise.all([...posting, administer(ledger, admin)]);
}

/** Adds to what must survive the words of an admin: a key is issued, a key is revoked. */
async function administer(ledger: Ledger, admin: Admin): Promise<void> {
  const hubId = ledger.keys[0]?.hubId ?? '';
  try {
    for (let count = 0; count < 20; count += 1) {
      const { id } = await admin.issueKey(hubId, 'Made under load');
      ledger.issued.add(id);
      await admin.call('POST', `/keys/${id}/revocation`);
      ledger.revoked.add(id);
      await Bun.sleep(20);
    }
  } catch {
    // The server is gone.
  }
}
