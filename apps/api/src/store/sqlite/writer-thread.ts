import { StoreUnavailable } from '../../errors.ts';
import { workerEnd } from '../worker-end.ts';
import type { Writer, WriterReport } from './writer.ts';
import { type Call, type CallName, type FromWriter, fromFailure, type ToWriter } from './writer-messages.ts';

/**
 * So many calls leave at once, without waiting for the end of the turn: while the thread writes them, this one takes
 * the next requests. If all that arrived together left together, the two threads would take turns instead.
 */
const BUNDLE_CALLS = 16;

interface WriterThreadOptions {
  file: string;
  botId: string;
  onBatch?: ((report: WriterReport) => void) | undefined;
  /** Told once if the thread ends by itself: nobody writes from there on. */
  onLost: (error: Error) => void;
  maxWaiting?: number;
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/**
 * A writer on a thread of its own: while it writes and flushes, this one goes on taking requests. Calls gather for one
 * turn of the event loop and leave in one message; the thread's group commit then gathers what came in several. The
 * database must be there and migrated.
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
    if (data.type !== 'answers') return;
    for (const [id, value, failure] of data.responses) {
      const caller = waiting.get(id);
      waiting.delete(id);
      if (failure) caller?.reject(fromFailure(failure));
      else caller?.resolve(value as never);
    }
  };
  worker.onerror = (event) => {
    // Nobody writes from here on. What was under way may or may not be on disk: no 201 goes out for it.
    lost = new Error(`The writer's thread ended: ${event.message}`);
    for (const caller of waiting.values()) caller.reject(new StoreUnavailable(lost));
    waiting.clear();
    closed.resolve();
    onLost(lost);
  };
  send({ type: 'open', ...open });

  const call = <T>(name: CallName, input: unknown): Promise<T> => {
    if (lost) return Promise.reject(new StoreUnavailable(lost));
    if (waiting.size >= maxWaiting) {
      return Promise.reject(new StoreUnavailable(new Error(`${maxWaiting} writes are waiting already`)));
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
