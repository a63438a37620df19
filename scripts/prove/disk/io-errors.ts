import { mkdirSync } from 'node:fs';
import { FaultInjection } from './fault-injection.ts';
import type { Findings } from './findings.ts';
import { SmallDisk } from './small-disk.ts';
import { Subject } from './subject.ts';

const ERROR_MS = 300;
const ERRORS = 5;
const REJECTED_WITHIN_MS = 8_000;
const MEGABYTES = 128;

/** Errors that a disk may return. SQLite flushes with `fsync` or `fdatasync`, depending on its build. */
const PROBLEMS = [
  'fsync,fdatasync:error=EIO',
  'fsync,fdatasync:error=EIO:when=2+3',
  'pwrite64:error=EIO',
  'pwrite64:error=EIO:when=3+7',
  'pwrite64:error=ENOSPC:when=2+5',
  // A short write: the next write, which must write the rest, then fails.
  'pwrite64:retval=0:when=1+2',
  // Has the effect of a read-only remount while files are open. The kernel itself does such a remount only after an
  // error.
  'pwrite64,ftruncate,openat:error=EROFS',
] as const;

/** Errors after which a rejected post could look valid in the log. */
const FATAL_FAULT_COUNT = [
  'fsync,fdatasync:error=EIO',
  'fsync,fdatasync:error=EIO:when=2+3',
  'pwrite64:error=EIO:when=3+7',
] as const;

/**
 * Injects each error for a while under load, then kills the server during each of the worst ones. Returns a summary.
 */
export async function errorRound(folder: string, findings: Findings): Promise<string> {
  mkdirSync(folder);
  const disk = new SmallDisk(folder, 'tmpfs', MEGABYTES);
  const subject = new Subject(folder, { findings, env: { HUB_LOG_LEVEL: 'debug' } });
  await subject.begin();

  for (const [number, problem] of PROBLEMS.entries()) {
    const injection = await FaultInjection.begin(subject.running.server.pid, problem);
    await rejectedBy(problem, subject, findings);
    await Bun.sleep(ERROR_MS);
    await injection.end();
    if (number < PROBLEMS.length - 1) findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
  }
  await subject.recovered();
  await subject.inspect();

  for (const problem of FATAL_FAULT_COUNT) {
    subject.loadOn();
    const injection = await FaultInjection.begin(subject.running.server.pid, problem);
    await rejectedBy(problem, subject, findings);
    await subject.kill();
    await injection.end();
    const error = await subject.start();
    if (error !== null) throw new Error(error);
    await subject.inspect();
  }
  await subject.stop();
  subject.close();
  disk.unmount();
  return `${PROBLEMS.length} disk errors, ${FATAL_FAULT_COUNT.length} kills under one of them`;
}

/** Checks that the error had an effect, since otherwise the round would prove nothing. */
async function rejectedBy(problem: string, subject: Subject, findings: Findings): Promise<void> {
  const isRejected = await subject.load.untilRejected(ERRORS, REJECTED_WITHIN_MS);
  if (!isRejected) findings.responses.push(`${problem} made no post fail`);
}
