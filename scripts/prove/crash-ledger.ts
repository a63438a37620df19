import { appendFileSync, closeSync, fdatasync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { IssuedKey } from '../../packages/contract/src/index.ts';
import { POST_KINDS, type PostKind } from './connection.ts';
import type { Expected } from './crash-inspect.ts';

export interface SentPost {
  readonly kind: PostKind;
  readonly keyId: string;
  /** That of no other post. */
  readonly text: string;
}

type Entry =
  | { type: 'key'; key: IssuedKey }
  /** Posts up to this number may be sent from now on. */
  | { type: 'sending'; upTo: number }
  | { type: 'acknowledged'; id: string; serial: number }
  | { type: 'issued'; id: string }
  | { type: 'revoked'; id: string }
  /** A response other than a 201 or a broken connection. */
  | { type: 'unexpected'; response: string };

/** Everything known about a data folder, independent of the servers and senders that were killed. */
export interface Ledger {
  readonly keys: readonly IssuedKey[];
  readonly upTo: number;
  /** From the id in a 201 to the number of the post. */
  readonly acknowledged: ReadonlyMap<string, number>;
  readonly issued: ReadonlySet<string>;
  readonly revoked: ReadonlySet<string>;
  readonly unexpected: readonly string[];
}

/**
 * The log of what was sent and acknowledged, beside the data folder. An entry counts once it is flushed to the disk, so that what
 * is compared later is on it, even if the proof itself is killed. Entries that wait share a flush.
 */
export class LedgerLog {
  readonly #file: number;
  #waiting: { line: string; flushed: PromiseWithResolvers<void> }[] = [];
  #isFlushing = false;

  constructor(file: string) {
    this.#file = openSync(file, 'ax', 0o600);
    const folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  /** Resolves once it is on the disk. */
  append(entry: Entry): Promise<void> {
    const flushed = Promise.withResolvers<void>();
    this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, flushed });
    if (!this.#isFlushing) void this.#flush();
    return flushed.promise;
  }

  close(): void {
    closeSync(this.#file);
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      appendFileSync(this.#file, entries.map(({ line }) => line).join(''));
      await flushFile(this.#file);
      for (const { flushed } of entries) flushed.resolve();
    }
    // In the same step as the last look, so that no entry arrives in between and waits forever.
    this.#isFlushing = false;
  }
}

const flushFile = promisify(fdatasync);

/** As it is on the disk. A last line without its end was never flushed, and counts for nothing. */
export function readLedger(file: string): Ledger {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  const keys: IssuedKey[] = [];
  const acknowledged = new Map<string, number>();
  const issued = new Set<string>();
  const revoked = new Set<string>();
  const unexpected: string[] = [];
  let upTo = 0;
  for (const entry of entries) {
    if (entry.type === 'key') keys.push(entry.key);
    else if (entry.type === 'sending') upTo = entry.upTo;
    else if (entry.type === 'acknowledged') acknowledged.set(entry.id, entry.serial);
    else if (entry.type === 'issued') issued.add(entry.id);
    else if (entry.type === 'revoked') revoked.add(entry.id);
    else unexpected.push(entry.response);
  }
  for (const { id } of keys) issued.add(id);
  return { keys, upTo, acknowledged, issued, revoked, unexpected };
}

/** The post of this number, from 1 on: which key sends what follows from it alone. */
export function sentPost(keys: readonly IssuedKey[], serial: number): SentPost & { key: string } {
  const { id, key } = keys[serial % keys.length] as IssuedKey;
  const kind = POST_KINDS[serial % POST_KINDS.length] as PostKind;
  // The lengths vary widely, so that pages fill up in many ways.
  return { kind, keyId: id, key, text: `Post ${serial} ${'x'.repeat((serial * 37) % 200)}` };
}

/** The post that has this text, if one was sent. */
export function postWithText({ keys, upTo }: Ledger, text: string): SentPost | undefined {
  const serial = Number(/^Post (\d+) /.exec(text)?.[1] ?? 0);
  if (serial < 1 || serial > upTo) return undefined;
  const post = sentPost(keys, serial);
  return post.text === text ? post : undefined;
}

/** The expected contents of the data folder according to this ledger. */
export function expectedBy(ledger: Ledger): Expected {
  const { keys, acknowledged, issued, revoked } = ledger;
  return {
    acknowledged: new Map([...acknowledged].map(([id, serial]) => [id, sentPost(keys, serial).text])),
    sentAs: (text) => postWithText(ledger, text),
    issued,
    revoked,
  };
}
