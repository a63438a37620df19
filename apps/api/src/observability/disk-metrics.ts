import { statfsSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { measuredGauge } from './measured.ts';

/** Returns the free space and the size of the disk that a folder is on, in bytes; NaN if they are unknown. */
export function diskSpace(folder: string): { freeBytes: number; sizeBytes: number } {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return { freeBytes: Number.NaN, sizeBytes: Number.NaN };
  }
}

/** Registers metrics for the disk with the database. */
export function registerDiskMetrics(registers: Registry[], dataDir: string): void {
  const free = { name: 'hub_disk_free_bytes', help: 'Free space for the server on the disk of the data folder.' };
  measuredGauge(registers, free, () => diskSpace(dataDir).freeBytes);
  const size = { name: 'hub_disk_size_bytes', help: 'Size of the disk of the data folder.' };
  measuredGauge(registers, size, () => diskSpace(dataDir).sizeBytes);
}
