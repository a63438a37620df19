import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FLUSHES = 9;
const PAGE_BYTES = 4096;

/**
 * Measures how long the disk that holds this folder takes to flush a page appended to a file. Returns the median of
 * several attempts in milliseconds, or infinity if it cannot be measured, as on a full disk.
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
