import { expect, test } from 'bun:test';
import { requireRoomForSharedMemory } from './shared-memory.ts';

const startOn = (bsize: number, freeBytes: number) => () =>
  requireRoomForSharedMemory('/data', () => ({ bsize, bavail: freeBytes / bsize }));

test('a start needs room where blocks are smaller than pages, or the kernel would end it', () => {
  expect(startOn(1024, 20 * 1024)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(startOn(1024, 256 * 1024)).not.toThrow();
});

test('a server starts on a full disk otherwise, to serve what it has', () => {
  expect(startOn(4096, 0)).not.toThrow();
});
