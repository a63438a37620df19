import { appendFileSync, closeSync, fdatasync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { IssuedKey } from '@hub/contract';
import { POST_KINDS, type PostKind } from './http.ts';
import type { Expected } from './inspect-database.ts';

interface SentPost {
  readonly kind: PostKind;
  readonly keyId: string;
  /** Unique among all posts. */
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

/** Everything known about a data folder. The ledger outlives the servers and senders that are killed. */
export interface Ledger {
  readonly keys: readonly IssuedKey[];
  readonly upTo: number;
  /** Maps the ID in each 201 to the number of the post. */
  readonly acknowledged: ReadonlyMap<string, number>;
  readonly issued: ReadonlySet<string>;
  readonly revoked: ReadonlySet<string>;
  readonly unexpected: readonly string[];
}

/**
 * The log of sent and acknowledged posts, stored next to the data folder. An entry counts once it is flushed to disk,
 * so that it is available for later comparisons even if the proof itself is killed. Waiting entries are flushed
 * together.
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

  /** Resolves once the entry is on disk. */
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
    // Set in the same step as the last check, so that no entry can arrive in between and wait forever.
    this.#isFlushing = false;
  }
}

const flushFile = promisify(fdatasync);

/** Reads the log from disk. An incomplete last line was never flushed and is ignored. */
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

/** Returns the post with this number; numbers start at 1. The number determines the key and the content. */
export function sentPost(keys: readonly IssuedKey[], serial: number): SentPost & { key: string } {
  const { id, key } = keys[serial % keys.length] as IssuedKey;
  const kind = POST_KINDS[serial % POST_KINDS.length] as PostKind;
  // The lengths vary widely, so that pages fill up in many ways.
  return { kind, keyId: id, key, text: `Post ${serial} ${'x'.repeat((serial * 37) % 200)}` };
}

/** Returns the post with this text, if one was sent. */
export function postWithText({ keys, upTo }: Ledger, text: string): SentPost | undefined {
  const serial = Number(/^Post (\d+) /.exec(text)?.[1] ?? 0);
  if (serial < 1 || serial > upTo) return undefined;
  const post = sentPost(keys, serial);
  return post.text === text ? post : undefined;
}

/** Returns the expected contents of the data folder according to this ledger. */
export function expectedBy(ledger: Ledger): Expected {
  const { keys, acknowledged, issued, revoked } = ledger;
  return {
    acknowledged: new Map([...acknowledged].map(([id, serial]) => [id, sentPost(keys, serial).text])),
    sentAs: (text) => postWithText(ledger, text),
    issued,
    revoked,
  };
}
