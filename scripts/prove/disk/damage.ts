import { Database } from 'bun:sqlite';
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { spawnServer, stopServer } from '@hub/testkit';

export const PAGE_BYTES = 4096;
const JUNK = 0xa5;

/** Ways to damage the database of a stopped server. The server must reject the result when it starts. */
export const HARMS: Readonly<Record<string, (file: string) => void>> = {
  'its header overwritten': (file) => overwrite(file, 0, 100),
  'its first page overwritten but for the header': (file) => overwrite(file, 100, PAGE_BYTES - 100),
  'cut to a half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'cut by a page': (file) => truncateSync(file, statSync(file).size - PAGE_BYTES),
  'cut in a page': (file) => truncateSync(file, statSync(file).size - 100),
  emptied: (file) => truncateSync(file, 0),
  'its second half zeroed': (file) => {
    const half = Math.floor(statSync(file).size / 2 / PAGE_BYTES) * PAGE_BYTES;
    overwrite(file, half, statSync(file).size - half, 0);
  },
};

/** Overwrites one page. Pages are numbered from 1; use this for page 2 and later. */
export const overwritePage = (page: number) => (file: string) => overwrite(file, (page - 1) * PAGE_BYTES, PAGE_BYTES);

export function overwrite(file: string, position: number, length: number, value = JUNK): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, value), 0, length, position);
  closeSync(handle);
}

/** Returns the pages in use: all except those on the free list. */
export function usedPages(file: string): number {
  using database = new Database(file, { readonly: true });
  const free = Number(database.query('PRAGMA freelist_count').values()[0]?.[0]);
  if (free > 0) throw new Error(`${free} pages are free: to overwrite those would be no harm`);
  return statSync(file).size / PAGE_BYTES;
}

/**
 * Describes what a server does wrong with this damage; `null` if the server rejects the file with a message and leaves
 * the file unchanged.
 */
export async function problemOfHarmed(
  sound: string,
  copy: string,
  harm: (file: string) => void,
): Promise<string | null> {
  cpSync(sound, copy, { recursive: true });
  const file = join(copy, 'hub.db');
  harm(file);
  const before = readFileSync(file);
  const server = spawnServer({ dataDir: copy });
  const serving = await Promise.race([server.serving().catch(() => null), server.ended()]);
  if (typeof serving !== 'number' && serving !== null) {
    await stopServer(server, 'SIGKILL');
    rmSync(copy, { recursive: true });
    return 'it is taken for sound';
  }
  const code = await server.ended();
  const isSame = readFileSync(file).equals(before);
  rmSync(copy, { recursive: true });
  const notified = server.stderr().trim();
  const isPlain =
    /hub\.db is (damaged.* replace the database with a backup|not a SQLite database.* put a backup in its place)/.test(
      notified,
    );
  return code === 1 && isPlain && isSame
    ? null
    : `ended with ${code}, ${isSame ? '' : 'changed it, '}and said: ${notified.slice(0, 300)}`;
}

/** Ways to damage, remove or replace a derived file. */
export const SEARCH_HARMS: Readonly<Record<string, (file: string) => void>> = {
  removed: (file) => rmSync(file, { force: true }),
  'another file': (file) => writeFileSync(file, 'Dear diary, '.repeat(1_000)),
  'overwritten but for the first page': (file) => overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES),
  'cut to a half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
};
