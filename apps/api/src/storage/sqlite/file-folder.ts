import { existsSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreUnavailable } from '../../platform/errors.ts';
import { oneAtATime } from '../../platform/repeat.ts';
import type { FileStore, FileWriter } from '../store.ts';
import type { FromHashWorker } from './hash-worker.ts';

/** Beside the database. */
export const FILES_FOLDER = 'files';
/** Has an empty file for each file that is being stored, from before its first byte until its row is committed. */
const UNSETTLED = 'unsettled';
/** How long the thread that hashes is kept for the next file. */
const IDLE_MS = 10_000;

/**
 * Keeps each file in a file of its own, so that it never passes through the database. `isKnown` tells whether the row of
 * a file was committed; files of a killed server without one are removed.
 */
export function fileFolder(dataDir: string, isKnown: (id: string) => boolean): FileStore {
  const folder = join(dataDir, FILES_FOLDER);
  const hash = hashThread();
  const markers = join(folder, UNSETTLED);
  const flush = oneByOne();
  const flushMarkers = oneAtATime(() => flush(() => sync(markers)));
  const pathOf = (id: string): string => filePath(folder, id);
  const previewOf = (id: string): string => `${pathOf(id)}.webp`;
  const unsettled = existsSync(markers) ? readdirSync(markers) : [];
  for (const id of unsettled) {
    if (!isKnown(id)) rmSync(pathOf(id), { force: true });
    rmSync(join(markers, id), { force: true });
  }

  return {
    create: (id) =>
      orUnavailable(async () => {
        const [path, marker] = [pathOf(id), join(markers, id)];
        for (const parent of [markers, dirname(path)]) await mkdir(parent, { recursive: true });
        await (await open(marker, 'wx')).close();
        await flushMarkers();
        return writerOf(await open(path, 'wx+'), { path, marker, hash, flush });
      }),
    read: (id, { start, end }) => Bun.file(pathOf(id)).slice(start, end),
    delete: (ids) =>
      orUnavailable(async () => {
        for (const id of ids) for (const path of [pathOf(id), previewOf(id)]) await rm(path, { force: true });
      }),
    // The next start does it.
    eraseUnknown: async () => {},
    readPreview: async (id) => {
      const preview = Bun.file(previewOf(id));
      return (await preview.exists()) ? preview.bytes() : null;
    },
    writePreview: (id, bytes) =>
      orUnavailable(async () => {
        // One that a killed server has begun must not be read.
        const unfinished = `${previewOf(id)}.unfinished`;
        await Bun.write(unfinished, bytes);
        await rename(unfinished, previewOf(id));
      }),
  };
}

/** Folders are named by two characters of the random part, so that none gets too large. */
export const filePath = (folder: string, id: string): string => join(folder, id.slice(-2), id);

interface WriterOptions {
  path: string;
  marker: string;
  hash: (path: string) => Promise<string>;
  flush: ReturnType<typeof oneByOne>;
}

function writerOf(handle: FileHandle, { path, marker, hash, flush }: WriterOptions): FileWriter {
  let isFlushed = false;
  const flushFile = async (): Promise<void> => {
    if (!isFlushed) await flush(() => handle.sync());
    isFlushed = true;
  };
  return {
    write: (chunk) =>
      orUnavailable(async () => {
        for (let written = 0; written < chunk.byteLength; )
          written += (await handle.write(chunk, written)).bytesWritten;
      }),
    // Bun reads the next bytes of a request only when these are written, which it does not do for a reader.
    receive: async (body, headBytes) => {
      try {
        await Bun.write(path, new Response(body));
      } catch (error) {
        throw error instanceof Error && error.name === 'AbortError' ? error : new StoreUnavailable(error);
      }
      return orUnavailable(async () => {
        const head = Bun.file(path).slice(0, headBytes).bytes();
        const [sha256] = await Promise.all([hash(path), flushFile()]);
        return { sha256, head: Buffer.from(await head) };
      });
    },
    received: () => Bun.file(path).size,
    finish: () =>
      orUnavailable(async () => {
        await flushFile();
        await flush(() => sync(dirname(path)));
        await handle.close();
      }),
    keep: async () => rm(marker, { force: true }),
    discard: async () => {
      await handle.close().catch(() => {});
      await rm(path, { force: true });
      await rm(marker, { force: true });
    },
  };
}

/** Hashes files on a thread of its own, one after another: on the thread of the requests, they would delay all others. */
function hashThread(): (path: string) => Promise<string> {
  let worker: Worker | undefined;
  let idle: Timer | undefined;
  const waiting: PromiseWithResolvers<string>[] = [];
  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./hash-worker.ts', import.meta.url).href);
    started.onmessage = ({ data }: MessageEvent<FromHashWorker>) => {
      const next = waiting.shift();
      if ('sha256' in data) next?.resolve(data.sha256);
      else next?.reject(new Error(data.message));
      if (waiting.length === 0) idle = setTimeout(stop, IDLE_MS).unref();
    };
    started.onerror = ({ message }) => {
      stop();
      for (const { reject } of waiting.splice(0)) reject(new Error(`The thread that hashes files ended: ${message}`));
    };
    return started;
  };
  return (path) => {
    clearTimeout(idle);
    worker ??= start();
    const result = Promise.withResolvers<string>();
    waiting.push(result);
    worker.postMessage(path);
    return result.promise;
  };
}

/** Flushes of uploads run one after another: that of a post waits for those that the disk has begun. */
function oneByOne(): (flush: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (flush) => {
    const own = last.then(flush);
    last = own.catch(() => {});
    return own;
  };
}

/** Flushes the entries of a folder. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function orUnavailable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}
