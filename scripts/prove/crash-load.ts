import type { IssuedKey } from '@hub/contract';
import type { Admin } from '@hub/testkit';
import { idOf, type LedgerLog, openConnection, postRequest, sentPost } from '@hub/testkit';

const HUBS = 10;
const CONNECTIONS = 24;
/** The requests that a key can send per minute. A new server process starts with empty windows. */
const POSTS_PER_KEY = 60;

/** A sender: its posts, its pace and the log of its responses. */
export interface Sender {
  readonly keys: readonly IssuedKey[];
  readonly log: LedgerLog;
  /** Posts per second; by default as fast as possible. */
  readonly rate: number | undefined;
  /** The number of posts sent and acknowledged so far. */
  sent: number;
  acknowledged: number;
}

/** Keys for several Hubs. */
export async function makeKeys(admin: Admin, keyCount: number): Promise<IssuedKey[]> {
  const hubs = await Promise.all(Array.from({ length: HUBS }, (_, n) => admin.createHub(`Hub ${n}`)));
  const issue = (_: unknown, n: number) => admin.issueKey(hubs[n % HUBS]?.id ?? '', `key ${n}`);
  return Promise.all(Array.from({ length: keyCount }, issue));
}

export async function issueKeys(admin: Admin, log: LedgerLog, keyCount: number): Promise<IssuedKey[]> {
  const keys = await makeKeys(admin, keyCount);
  await Promise.all(keys.map((key) => log.append({ type: 'key', key })));
  return keys;
}

export interface Load {
  /** Resolves once the server is gone or the keys have reached their limits, and every response is logged. */
  over(): Promise<void>;
}

/** Posts over many connections while issuing and revoking keys. Resolves once the load has started. */
export async function beginLoad(sender: Sender, admin: Admin, port: number): Promise<Load> {
  const last = sender.sent + sender.keys.length * POSTS_PER_KEY;
  await sender.log.append({ type: 'sending', upTo: last });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const turn = paced(sender.rate);
  const notes: Promise<void>[] = [];
  const posting = connections.map(async (connection) => {
    for (;;) {
      await turn();
      if (sender.sent >= last) return;
      sender.sent += 1;
      const serial = sender.sent;
      const { kind, key, text } = sentPost(sender.keys, serial);
      const response = await connection.send(postRequest(kind, key, text)).catch(() => undefined);
      if (!response) return;
      if (response.status !== 201) {
        notes.push(sender.log.append({ type: 'unexpected', response: `${response.status} ${response.body}` }));
        continue;
      }
      notes.push(acknowledge(sender, idOf(response), serial));
    }
  });
  const all = Promise.all([...posting, administer(sender, admin)]);
  return {
    over: async () => {
      await all;
      await Promise.all(notes);
    },
  };
}

/** Records an acknowledgment, which counts once it is on disk. */
async function acknowledge(sender: Sender, id: string, serial: number): Promise<void> {
  await sender.log.append({ type: 'acknowledged', id, serial });
  sender.acknowledged += 1;
}

/** Returns a function that waits until the next post is due. A late post does not delay the following ones. */
function paced(rate: number | undefined): () => Promise<void> {
  const start = performance.now();
  let taken = 0;
  return async () => {
    if (rate === undefined) return;
    const dueAt = start + (taken * 1000) / rate;
    taken += 1;
    const left = dueAt - performance.now();
    if (left > 0) await Bun.sleep(left);
  };
}

/** Issues and revokes keys, so that there are also admin actions that must survive. */
async function administer({ keys, log }: Sender, admin: Admin): Promise<void> {
  const hubId = keys[0]?.hubId ?? '';
  try {
    for (let count = 0; count < 20; count += 1) {
      const { id } = await admin.issueKey(hubId, 'Made under load');
      await log.append({ type: 'issued', id });
      await admin.call('POST', `/keys/${id}/revocation`);
      await log.append({ type: 'revoked', id });
      await Bun.sleep(20);
    }
  } catch {
    // The server is gone.
  }
}
