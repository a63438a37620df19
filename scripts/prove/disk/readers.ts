import type { Item, ServerFrame } from '@hub/contract';
import { type Admin, WebSocketByHand } from '@hub/testkit';
import type { DiskLedger } from './load.ts';

/** The server's own time limit for searches, which have the lowest priority when the machine is busy. */
const RESPONSE_MS = 5_000;
const BETWEEN_READS_MS = 10;
const SETTLE_MS = 3_000;

interface ReadersOptions {
  readonly admin: Admin;
  readonly url: string;
  readonly token: string;
  readonly hubIds: readonly string[];
  readonly ledger: DiskLedger;
}

/**
 * Teammates who read lists, search and follow Hubs live, from construction until `stop`. `problems` lists what went
 * wrong.
 */
export class Readers {
  readonly problems: string[] = [];
  reads = 0;
  readonly #options: ReadersOptions;
  readonly #reading: Promise<void>;
  readonly #wire: WebSocketByHand;
  readonly #seqs = new Map<string, number>();
  /** The items whose creation event arrived. */
  readonly #seen = new Set<string>();
  #isStopped = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
    this.#reading = this.#read();
    const port = Number(new URL(options.url).port);
    const follow = (): void => {
      for (const hubId of options.hubIds) this.#wire.send(JSON.stringify({ type: 'subscribe', hubId, after: 0 }));
    };
    this.#wire = new WebSocketByHand(
      { port, token: options.token },
      {
        onOpen: follow,
        onText: (text) => this.#take(JSON.parse(text) as ServerFrame),
        onClose: (code, problem) => this.#closed(code, problem),
      },
    );
  }

  /** Stops the readers once everything acknowledged has arrived or the time for that has run out. */
  async stop(): Promise<void> {
    const missing = (): string[] => [...this.#options.ledger.acknowledged.keys()].filter((id) => !this.#seen.has(id));
    for (const end = performance.now() + SETTLE_MS; missing().length > 0 && performance.now() < end; )
      await Bun.sleep(10);
    const lost = missing();
    if (lost.length > 0)
      this.problems.push(`${lost.length} acknowledged posts did not arrive live, such as ${lost[0]}`);
    await this.interrupted();
  }

  /** Stops the readers immediately. Call this before the server stops. */
  async interrupted(): Promise<void> {
    this.#isStopped = true;
    this.#wire.cut();
    await this.#reading;
  }

  #closed(code: number, problem?: string): void {
    if (!this.#isStopped) this.problems.push(`the live view was closed with ${code} ${problem ?? ''}`);
  }

  #take(frame: ServerFrame): void {
    if (frame.type === 'error') this.problems.push(`live: ${frame.message}`);
    if (frame.type !== 'event') return;
    const last = this.#seqs.get(frame.hubId) ?? 0;
    if (frame.seq !== last + 1) this.problems.push(`event ${frame.seq} came after ${last}`);
    this.#seqs.set(frame.hubId, frame.seq);
    if ('kind' in frame.data) this.#check(frame.data as Item);
    if ('id' in frame.data) this.#seen.add(frame.data.id);
  }

  #check(item: Item): void {
    const text = item.kind === 'message' ? item.text : item.kind === 'note' ? item.content : item.title;
    if (text && this.#options.ledger.rejected.has(text)) this.problems.push(`${item.id} is shown, and was refused`);
  }

  async #read(): Promise<void> {
    const { hubIds, url, admin } = this.#options;
    const paths = [
      '/hubs',
      '/keys',
      '/search?q=Post',
      ...['messages', 'notes', 'todos'].map((kind) => `/hubs/${hubIds[0]}/${kind}`),
    ];
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const path = paths[turn % paths.length] ?? '';
      await this.#expectItems(path, () => admin.raw('GET', path));
      await this.#expect('/readyz', () => fetch(`${url}/readyz`));
      await Bun.sleep(BETWEEN_READS_MS);
    }
  }

  async #expectItems(path: string, ask: () => Promise<Response>): Promise<void> {
    const body = await this.#expect(path, ask);
    if (body === null) return;
    const { items } = JSON.parse(body) as { items: Item[] };
    if (items.length === 0) this.problems.push(`${path} shows nothing`);
    for (const item of items) if ('kind' in item) this.#check(item);
  }

  async #expect(path: string, ask: () => Promise<Response>): Promise<string | null> {
    const start = performance.now();
    const response = await Promise.race([
      ask().catch((error) => error as Error),
      Bun.sleep(RESPONSE_MS).then(() => 'late' as const),
    ]);
    if (this.#isStopped) return null;
    this.reads += 1;
    if (response instanceof Response && response.status === 200) return response.text();
    const shown =
      response instanceof Response ? `${response.status} ${(await response.text()).slice(0, 200)}` : String(response);
    this.problems.push(`${path} after ${(performance.now() - start).toFixed(0)} ms: ${shown}`);
    return null;
  }
}
