import type { IssuedKey } from '@hub/contract';
import {
  type Admin,
  type Connection,
  type Expected,
  idOf,
  openConnection,
  POST_KINDS,
  type PostKind,
  postRequest,
  problemOfError,
  type RawResponse,
} from '@hub/testkit';

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

const CONNECTIONS = 8;
/** A key can send 60 requests per minute, and some are sent in addition to the load. */
export const POSTS_PER_KEY = 55;
/** A request without a response after this time is considered hung. */
const RESPONSE_MS = 5_000;
/**
 * Pauses between posts, longer after an error. They keep the keys below their limits and give the filler time to fill
 * the disk.
 */
const REST_MS = 2;
const REJECTED_REST_MS = 15;
const MAX_CHARACTERS = 8_000;

/** Posts over several connections until it is stopped or the server has exited. */
export class Load {
  readonly #ledger: DiskLedger;
  readonly #port: number;
  readonly #loops: Promise<void>[] = [];
  readonly #connections = new Set<Connection>();
  readonly #budget: { left: number };
  #isStopped = false;
  #awaited: { sentAfter: number; resolve: () => void } | undefined;

  /** `budget`: the number of posts that can still be sent to this server process. */
  constructor(ledger: DiskLedger, port: number, budget: { left: number }) {
    this.#ledger = ledger;
    this.#port = port;
    this.#budget = budget;
    for (let n = 0; n < CONNECTIONS; n += 1) this.#loops.push(this.#post());
  }

  /**
   * Waits until a post sent after this call returns 201, but at most `maxMs`. Resolves with the elapsed milliseconds.
   */
  async untilAcknowledged(maxMs: number): Promise<number> {
    const start = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { sentAfter: start, resolve };
    await Promise.race([promise, Bun.sleep(maxMs)]);
    this.#awaited = undefined;
    return performance.now() - start;
  }

  /** Resolves with true once this many more posts have been rejected with 503, or with false if that takes too long. */
  async untilRejected(count: number, maxMs: number): Promise<boolean> {
    const [wanted, end] = [this.#ledger.rejected.size + count, performance.now() + maxMs];
    while (this.#ledger.rejected.size < wanted && performance.now() < end && this.#budget.left > 0) await Bun.sleep(2);
    return this.#ledger.rejected.size >= wanted;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    for (const connection of this.#connections) connection.close();
  }

  async #post(): Promise<void> {
    let connection = await this.#connect();
    while (!this.#isStopped && this.#budget.left > 0) {
      this.#budget.left -= 1;
      const key = this.#ledger.keys[this.#budget.left % this.#ledger.keys.length] as IssuedKey;
      const serial = this.#ledger.sent.size + 1;
      const kind = POST_KINDS[serial % POST_KINDS.length] as PostKind;
      const room = kind === 'todos' ? 200 : MAX_CHARACTERS;
      const text = `Post ${serial} ${'x'.repeat(Math.floor(Math.random() ** 3 * room))}`;
      this.#ledger.sent.set(text, { kind, keyId: key.id });
      const sentAt = performance.now();
      const sending = connection.send(postRequest(kind, key.key, text)).catch(() => 'gone' as const);
      const response = await Promise.race([sending, Bun.sleep(RESPONSE_MS).then(() => 'late' as const)]);
      if (response === 'gone') return;
      if (response === 'late') {
        this.#ledger.unexpected.push(`no response within ${RESPONSE_MS} ms`);
        connection.close();
        connection = await this.#connect();
      } else await this.#responded(response, text, sentAt);
      await Bun.sleep(REST_MS);
    }
  }

  async #connect(): Promise<Connection> {
    const connection = await openConnection(this.#port);
    this.#connections.add(connection);
    return connection;
  }

  async #responded(response: RawResponse, text: string, sentAt: number): Promise<void> {
    if (response.status === 201) {
      this.#ledger.acknowledged.set(idOf(response), text);
      if (this.#awaited && sentAt >= this.#awaited.sentAfter) this.#awaited.resolve();
      return;
    }
    const problem = problemOfError(response.status, response.body, 503);
    if (problem) this.#ledger.unexpected.push(problem);
    else this.#ledger.rejected.add(text);
    await Bun.sleep(REJECTED_REST_MS);
  }
}
