/** The writer thread; `startWriterThread` in writer-thread.ts starts it. */
import { openDatabase } from './engine/database.ts';
import { createWriter, type Writer } from './writer.ts';
import { type Call, type CallResult, type FromWriter, type ToWriter, toFailure } from './writer-messages.ts';
import type { WriteName } from './writes.ts';

/** How long a batch waits for another program that holds the write lock before its senders get 503. */
const BUSY_TIMEOUT_MS = 1_000;

declare const self: Worker;

const notify = (message: FromWriter): void => self.postMessage(message);
let writer: Writer | undefined;
let closeDatabase: (() => void) | undefined;
let results: CallResult[] = [];

self.onmessage = ({ data }: MessageEvent<ToWriter>) => {
  if (data.type === 'open') open(data);
  else if (data.type === 'calls') for (const call of data.calls) void run(call);
  else void close();
};

function open({ file, botId }: Extract<ToWriter, { type: 'open' }>): void {
  const db = openDatabase(file, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  closeDatabase = () => db.$client.close(false);
  writer = createWriter(db, {
    botId,
    monotonic: () => performance.now(),
    onBatch: (report) => notify({ type: 'batch', report }),
  });
}

async function run([id, name, input]: Call): Promise<void> {
  try {
    respond([id, await perform(name, input)]);
  } catch (error) {
    respond([id, undefined, toFailure(error)]);
  }
}

function perform(name: Call[1], input: unknown): Promise<unknown> {
  if (!writer) throw new Error('The writer has not opened its database');
  if (name === 'findKey') return writer.findKey(input as string);
  if (name === 'listKeys') return writer.listKeys(input as never);
  if (name === 'keyUsage') return writer.keyUsage(input as never);
  return writer.write(name as WriteName, input as never);
}

/** The promises of a batch settle one after another in the same turn, so their results are sent in one message. */
function respond(result: CallResult): void {
  if (results.push(result) > 1) return;
  queueMicrotask(() => {
    const batch = results;
    results = [];
    notify({ type: 'results', results: batch });
  });
}

async function close(): Promise<void> {
  await writer?.close();
  // The last responses are sent one turn after their batch.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  closeDatabase?.();
  notify({ type: 'closed' });
}
