import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FLUSHES = 9;
const PAGE_BYTES = 4096;

/**
 * How long the disk of this folder takes to flush a page that was appended to a file, in milliseconds; the median of a few.
 * Infinite if it cannot be tried, as on a full disk.
 */
export function measureFlush(dataDir: string, monotonic: () => number): number {
  const file = join(dataDir, 'flush.try');
  try {
    const handle = openSync(file, 'w', 0o600);
    try {
      const times: number[] = [];
      for (let count = 0; count < FLUSHES; count += 1) {
        writeSync(handle, Buffer.alloc(PAGE_BYTES));
        const start = monotonic();
        fdatasyncSync(handle);
        times.push(monotonic() - start);
      }
      return times.sort((one, other) => one - other)[Math.floor(FLUSHES / 2)] ?? Number.POSITIVE_INFINITY;
    } finally {
      closeSync(handle);
    }
  } catch {
    return Number.POSITIVE_INFINITY;
  } finally {
    rmSync(file, { force: true });
  }
}
