import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './findings.ts';
import { SmallDisk } from './small-disk.ts';
import { Subject } from './subject.ts';

/** Enough space to create SQLite's shared memory, but too little to use all of it. */
const LEFT_BYTES = 16_384;

/**
 * If blocks are smaller than pages, the kernel kills a process that touches shared memory without space for it. Checks
 * that a start reports a full disk instead. Returns a summary.
 */
export async function smallBlocksRound(folder: string, findings: Findings): Promise<string> {
  const disk = new SmallDisk(folder, 'ext4 with small blocks', 32);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  await subject.kill();
  rmSync(join(subject.dataDir, 'hub.db-shm'));
  disk.takeAllBut(LEFT_BYTES);
  const error = (await subject.start()) ?? 'it serves';
  if (!/^1 The disk of \S+ is full\. Free some space and start again\.$/.test(error)) findings.ends.push(error);
  disk.giveBack();
  const again = await subject.start();
  if (again !== null) throw new Error(again);
  await subject.inspect();
  await subject.stop();
  subject.close();
  disk.unmount();
  return 'a kill, and a start with 16 KiB left where blocks have 1 KiB; then with room';
}
