import { expect, test } from 'bun:test';
import { requireSpaceForSharedMemory } from './shared-memory.ts';

const startOn = (bsize: number, freeBytes: number) => () =>
  requireSpaceForSharedMemory('/data', () => ({ bsize, bavail: freeBytes / bsize }));

test('a server does not start on a full disk with blocks smaller than pages, where the kernel would kill it', () => {
  expect(startOn(1024, 20 * 1024)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(startOn(1024, 256 * 1024)).not.toThrow();
});

test('a server starts on any other full disk, to serve its data', () => {
  expect(startOn(4096, 0)).not.toThrow();
});
