import { StoreUnavailable } from '../../errors.ts';
import { workerEnd } from '../worker-end.ts';
import type { Writer, WriterReport } from './writer.ts';
import { type Call, type CallName, type FromWriter, fromFailure, type ToWriter } from './writer-messages.ts';

/**
 * Once this many calls have been gathered, they are sent without waiting for the end of the turn, so that this thread
 * accepts the next requests while the writer thread writes them. If all simultaneous calls were sent together, the two
 * threads would take turns instead of working in parallel.
 */
const BUNDLE_CALLS = 16;

interface WriterThreadOptions {
  file: string;
  botId: string;
  onBatch?: ((report: WriterReport) => void) | undefined;
  /** Called once if the thread ends unexpectedly. No writes are possible from then on. */
  onLost: (error: Error) => void;
  maxWaiting?: number;
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Starts a writer on a separate thread: while it writes and flushes, this thread continues to accept requests. Calls
 * are gathered for one turn of the event loop and sent in one message; the thread's group commit then combines several
 * messages. The database must exist and be migrated.
 */
export function startWriterThread({ onBatch, onLost, maxWaiting = 10_000, ...open }: WriterThreadOptions): Writer {
  const worker = new Worker(new URL('./writer-worker.ts', import.meta.url).href);
  const gone = workerEnd(worker);
  const send = (message: ToWriter): void => worker.postMessage(message);
  const waiting = new Map<number, Waiting>();
  const closed = Promise.withResolvers<void>();
  let outbox: Call[] = [];
  let lastId = 0;
  let lost: Error | undefined;

  worker.onmessage = ({ data }: MessageEvent<FromWriter>) => {
    if (data.type === 'batch') onBatch?.(data.report);
    if (data.type === 'closed') closed.resolve();
    if (data.type !== 'results') return;
    for (const [id, value, failure] of data.results) {
      const caller = waiting.get(id);
      waiting.delete(id);
      if (failure) caller?.reject(fromFailure(failure));
      else caller?.resolve(value as never);
    }
  };
  worker.onerror = (event) => {
    // No writes are possible from here on. Calls in progress may or may not be on disk, so no 201 is sent for them.
    lost = new Error(`The writer thread ended: ${event.message}`);
    for (const caller of waiting.values()) caller.reject(new StoreUnavailable(lost));
    waiting.clear();
    closed.resolve();
    onLost(lost);
  };
  send({ type: 'open', ...open });

  const call = <T>(name: CallName, input: unknown): Promise<T> => {
    if (lost) return Promise.reject(new StoreUnavailable(lost));
    if (waiting.size >= maxWaiting) {
      return Promise.reject(new StoreUnavailable(new Error(`${maxWaiting} writes are already waiting`)));
    }
    return new Promise<T>((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      const gathered = outbox.push([lastId, name, input]);
      if (gathered === 1) setImmediate(sendOutbox);
      if (gathered === BUNDLE_CALLS) sendOutbox();
    });
  };
  const sendOutbox = (): void => {
    if (outbox.length === 0) return;
    const calls = outbox;
    outbox = [];
    send({ type: 'calls', calls });
  };

  return {
    write: (name, input) => call(name, input),
    findKey: (keyId) => call('findKey', keyId),
    listKeys: (page) => call('listKeys', page),
    keyUsage: (query) => call('keyUsage', query),
    waiting: () => waiting.size,
    close: async () => {
      sendOutbox();
      send({ type: 'close' });
      await closed.promise;
      worker.terminate();
      await gone;
    },
  };
}
