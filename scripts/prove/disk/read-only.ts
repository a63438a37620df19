import type { Findings } from './findings.ts';
import { SmallDisk } from './small-disk.ts';
import { Subject } from './subject.ts';

const MEGABYTES = 64;
const READ_ONLY_MS = 1_500;
const ERRORS = 10;

/**
 * Makes the kernel switch the file system of a server under load to read-only, as it does after a disk error. The
 * server is then stopped, and the file system checked and mounted again. Returns a summary.
 */
export async function readOnlyRound(folder: string, findings: Findings): Promise<string> {
  const disk = new SmallDisk(folder, 'ext4', MEGABYTES);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  // Linux may report success for a flush that is in progress at this moment and then discard its data
  // (docs/reliability.md).
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
