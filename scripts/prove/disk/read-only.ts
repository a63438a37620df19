import type { Findings } from './findings.ts';
import { SmallDisk } from './small-disk.ts';
import { Subject } from './subject.ts';

const MEGABYTES = 64;
const READ_ONLY_MS = 1_500;
const ERRORS = 10;

/**
 * The kernel makes the file system read-only under a server that is under load, as it does when the disk has had an error. It then
 * must be checked and mounted again, for which the server must be stopped. Returns a summary.
 */
export async function readOnlyRound(folder: string, findings: Findings): Promise<string> {
  const disk = new SmallDisk(folder, 'ext4', MEGABYTES);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  // Linux may answer a flush that is under way in this very moment with success, and then drop it (docs/reliability.md).
  await subject.load.stop();
  disk.failReadOnly();
  subject.loadOn();
  if (!(await subject.load.untilRejected(ERRORS, 10_000)))
    findings.responses.push('no post failed on a read-only disk');
  await Bun.sleep(READ_ONLY_MS);
  await subject.stop();
  await startIsRejected(subject, findings);

  disk.repair();
  disk.remountReadOnly();
  await startIsRejected(subject, findings);
  disk.repair();
  const error = await subject.start();
  if (error !== null) throw new Error(error);
  await subject.inspect();
  subject.loadOn();
  findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
  await subject.stop();
  subject.close();
  disk.unmount();
  return 'an error of the file system, which became read-only; stop, start, another start on a read-only mount, repair, start';
}

async function startIsRejected(subject: Subject, findings: Findings): Promise<void> {
  const error = await subject.start();
  if (error !== null && /^1 .*read-only.*ount it writable/.test(error)) return;
  findings.ends.push(`a start on a read-only disk: ${error ?? 'it serves'}`);
  if (error === null) await subject.stop();
}
