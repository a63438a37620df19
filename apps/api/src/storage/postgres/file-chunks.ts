import { sql } from 'drizzle-orm';
import { cursorAtTime } from '../../platform/ids.ts';
import { given, listed, rawQuery, toList } from '../engine/query.ts';
import { rawWrite } from '../engine/write.ts';
import type { FileStore } from '../store.ts';
import type { Connection, ReadConnection } from './engine/connection.ts';

/** One chunk is one row, written and read as a whole. */
const CHUNK_BYTES = 256 * 1024;

const insert = rawWrite(
  sql`insert into file_chunks (file_id, n, bytes) values (${given('id')}, ${given('n')}, ${given('bytes')})
    on conflict do nothing`,
);
const find = rawQuery(
  sql`select bytes from file_chunks where file_id = ${given('id')} and n = ${given('n')}`,
  ([bytes]: readonly [Uint8Array]) => bytes,
);
const removeUnknown = rawWrite(
  sql`delete from file_chunks where file_id < ${given('before')}
    and not exists (select 1 from files where files.id = split_part(file_id, '.', 1))`,
);
const previewOf = (id: string): string => `${id}.webp`;
const remove = rawWrite(sql`delete from file_chunks where file_id in ${listed('ids')}`);

/** The writes of chunks, in transactions of their own. */
export function chunkChanges(on: Connection) {
  return {
    insert: async (chunk: { id: string; n: number; bytes: Uint8Array }) => on.run(insert, chunk),
    delete: async (ids: readonly string[]) => on.run(remove, { ids: toList(ids.flatMap((id) => [id, previewOf(id)])) }),
    /** Deletes chunks of files whose ids sort before this one, if they have no row: a node was killed meanwhile. */
    deleteUnknown: async (before: string) => on.run(removeUnknown, { before }),
  };
}

type ChunkChanges = ReturnType<typeof chunkChanges>;

/** Keeps files in chunks in the database, where all nodes find them. */
export function fileChunks(
  transaction: (work: (chunks: ChunkChanges) => Promise<unknown>) => Promise<unknown>,
  reads: Pick<ReadConnection, 'first'>,
): FileStore {
  async function* chunksOf(id: string, { start, end }: { start: number; end: number }): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end; ) {
      const n = Math.floor(position / CHUNK_BYTES);
      const bytes = await reads.first(find, { id, n });
      if (!bytes) throw new Error(`Chunk ${n} of ${id} is missing`);
      const from = n * CHUNK_BYTES;
      yield bytes.subarray(position - from, Math.min(bytes.length, end - from));
      position = from + bytes.length;
    }
  }
  const deleteAll = async (ids: readonly string[]) => void (await transaction((chunks) => chunks.delete(ids)));

  return {
    create: async (id) => {
      let buffered: Uint8Array[] = [];
      let size = 0;
      let n = 0;
      const flush = async (bytes: Uint8Array): Promise<void> => {
        const chunk = n;
        n += 1;
        await transaction((chunks) => chunks.insert({ id, n: chunk, bytes }));
      };
      return {
        write: async (chunk) => {
          buffered.push(chunk);
          size += chunk.byteLength;
          if (size < CHUNK_BYTES) return;
          const all = Buffer.concat(buffered);
          let from = 0;
          for (; all.length - from >= CHUNK_BYTES; from += CHUNK_BYTES)
            await flush(all.subarray(from, from + CHUNK_BYTES));
          buffered = [all.subarray(from)];
          size = all.length - from;
        },
        finish: async () => {
          if (size > 0) await flush(Buffer.concat(buffered));
        },
        keep: async () => {},
        discard: () => deleteAll([id]),
      };
    },
    read: chunksOf,
    eraseUnknown: async (before) =>
      void (await transaction((chunks) => chunks.deleteUnknown(cursorAtTime(before, 'before', 'file')))),
    readPreview: async (id) => (await reads.first(find, { id: previewOf(id), n: 0 })) ?? null,
    writePreview: async (id, bytes) =>
      void (await transaction((chunks) => chunks.insert({ id: previewOf(id), n: 0, bytes }))),
    delete: deleteAll,
  };
}
