import { statfsSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { measuredGauge } from './measured.ts';

/** The disk under a folder, in bytes; not a number while the disk does not say. */
export function diskSpace(folder: string): { freeBytes: number; sizeBytes: number } {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return { freeBytes: Number.NaN, sizeBytes: Number.NaN };
  }
}

/** How much room there is where the database is. */
export function registerDiskMetrics(registers: Registry[], dataDir: string): void {
  const free = { name: 'hub_disk_free_bytes', help: 'Free on the disk of the data folder, for the server.' };
  measuredGauge(registers, free, () => diskSpace(dataDir).freeBytes);
  const size = { name: 'hub_disk_size_bytes', help: 'Size of the disk of the data folder.' };
  measuredGauge(registers, size, () => diskSpace(dataDir).sizeBytes);
}
