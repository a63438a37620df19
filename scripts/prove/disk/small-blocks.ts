import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './findings.ts';
import { SmallDisk } from './small-disk.ts';
import { Subject } from './subject.ts';

/** Enough for SQLite to make its shared memory, and too little to use all of it. */
const LEFT_BYTES = 16_384;

/**
 * Where blocks are smaller than pages, the kernel ends a process that touches shared memory for which there is no room. A start there
 * says that the disk is full instead. Returns a summary.
 */
export async function smallBlocksRound(folder: string, findings: Findings): Promise<string> {
  const disk = new SmallDisk(folder, 'ext4 with small blocks', 32);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  await subject.kill();
  rmSync(join(subject.dataDir, 'hub.db-shm'));
  disk.takeAllBut(LEFT_BYTES);
  const error = (await subject.start()) ?? 'it serves';
  if (!/^1 The disk of \S+ is full\. Make room and start again\.$/.test(error)) findings.ends.push(error);
  disk.giveBack();
  const again = await subject.start();
  if (again !== null) throw new Error(again);
  await subject.inspect();
  await subject.stop();
  subject.close();
  disk.unmount();
  return 'a kill, and a start with 16 KiB left where blocks have 1 KiB; then with room';
}
