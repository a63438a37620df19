import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { SmallDisk } from './small-disk.ts';
import { type Findings, Subject } from './subject.ts';

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
const FATAL_ERRORS = [
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

  for (const problem of FATAL_ERRORS) {
    subject.loadOn();
    const injection = await FaultInjection.begin(subject.running.server.pid, problem);
    await rejectedBy(problem, subject, findings);
    await subject.kill();
    await injection.end();
    await subject.startOrThrow();
    await subject.inspect();
  }
  await subject.stop();
  subject.close();
  disk.unmount();
  return `${PROBLEMS.length} disk errors, ${FATAL_ERRORS.length} kills under one of them`;
}

/** Checks that the error had an effect, since otherwise the round would prove nothing. */
async function rejectedBy(problem: string, subject: Subject, findings: Findings): Promise<void> {
  const isRejected = await subject.load.untilRejected(ERRORS, REJECTED_WITHIN_MS);
  if (!isRejected) findings.responses.push(`${problem} made no post fail`);
}

/** Uses strace to make system calls of a running process fail, from `begin` to `end`. */
class FaultInjection {
  readonly #child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  #stderr = '';

  private constructor(pid: number, inject: string) {
    const calls = inject.split(':')[0];
    const options = ['-f', '-q', '-e', `trace=${calls}`, '-e', `inject=${inject}`, '-e', 'signal=none'];
    this.#child = Bun.spawn(['strace', ...options, '-o', '/dev/null', '-p', String(pid)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    });
    process.on('exit', () => this.#child.kill('SIGKILL'));
    void this.#child.stderr.text().then((text) => {
      this.#stderr = text;
    });
  }

  /**
   * `inject` uses strace's syntax: `fdatasync:error=EIO:when=3+5`. Resolves once every thread of the process is traced.
   */
  static async begin(pid: number, inject: string): Promise<FaultInjection> {
    const injection = new FaultInjection(pid, inject);
    while (!isTraced(pid, injection.#child.pid)) {
      if (injection.#child.exitCode !== null) throw new Error(`strace ended: ${injection.#stderr}`);
      await Bun.sleep(5);
    }
    return injection;
  }

  /** Ends the injection, so that calls work normally again. */
  async end(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.#child.exited;
  }
}

function isTraced(pid: number, by: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((task) =>
    readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8').includes(`TracerPid:\t${by}\n`),
  );
}

const READ_ONLY_MEGABYTES = 64;
const READ_ONLY_MS = 1_500;
const READ_ONLY_ERRORS = 10;

/**
 * Makes the kernel switch the file system of a server under load to read-only, as it does after a disk error. The
 * server is then stopped, and the file system checked and mounted again. Returns a summary.
 */
export async function readOnlyRound(folder: string, findings: Findings): Promise<string> {
  const disk = new SmallDisk(folder, 'ext4', READ_ONLY_MEGABYTES);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  // Linux may report success for a flush that is in progress at this moment and then discard its data
  // (docs/reliability.md).
  await subject.load.stop();
  disk.failReadOnly();
  subject.loadOn();
  if (!(await subject.load.untilRejected(READ_ONLY_ERRORS, 10_000)))
    findings.responses.push('no post failed on a read-only disk');
  await Bun.sleep(READ_ONLY_MS);
  await subject.stop();
  await startIsRejected(subject, findings);

  disk.repair();
  disk.remountReadOnly();
  await startIsRejected(subject, findings);
  disk.repair();
  await subject.startOrThrow();
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
