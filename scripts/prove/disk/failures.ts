import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Proof, problemOfError, startHubctl } from '@hub/testkit';
import { SmallDisk } from './small-disk.ts';
import { type Findings, Subject } from './subject.ts';

const MEGABYTES = 128;
const [ERROR_MS, REJECTED_MS] = [300, 8_000];
const ERRORS = 5;

/** Errors that a disk may return. SQLite flushes with `fsync` or `fdatasync`, depending on its build. */
const PROBLEMS = [
  'fsync,fdatasync:error=EIO',
  'fsync,fdatasync:error=EIO:when=2+3',
  'pwrite64:error=EIO',
  'pwrite64:error=EIO:when=3+7',
  'pwrite64:error=ENOSPC:when=2+5',
  // A short write: the next write, which must write the rest, then fails.
  'pwrite64:retval=0:when=1+2',
  // Like a read-only remount while files are open, which the kernel itself does only after an error.
  'pwrite64,ftruncate,openat:error=EROFS',
] as const;

/** Errors after which a rejected post could look valid in the log. */
const FATAL_ERRORS = [PROBLEMS[0], PROBLEMS[1], PROBLEMS[3]];

/** Injects each error for a while under load, then kills the server during each of the worst ones. */
export async function errorRound(folder: string, findings: Findings): Promise<void> {
  mkdirSync(folder);
  const disk = new SmallDisk(folder, 'tmpfs', MEGABYTES);
  const subject = new Subject(folder, findings, { HUB_LOG_LEVEL: 'debug' });
  await subject.begin();
  for (const [number, problem] of PROBLEMS.entries()) {
    const heal = await injectError(subject.running.server.pid, problem);
    await expectRejections(subject, problem, findings);
    await Bun.sleep(ERROR_MS);
    await heal();
    if (number < PROBLEMS.length - 1) findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
  }
  await subject.recovered();
  await subject.inspect();
  for (const problem of FATAL_ERRORS) {
    subject.loadOn();
    const heal = await injectError(subject.running.server.pid, problem);
    await expectRejections(subject, problem, findings);
    await subject.kill();
    await heal();
    await subject.startOrThrow();
    await subject.inspect();
  }
  await subject.stop();
  subject.close();
  disk.unmount();
}

/** Checks that the error has an effect, since otherwise the round would prove nothing. */
async function expectRejections({ load }: Subject, problem: string, findings: Findings): Promise<void> {
  if (!(await load.untilRejected(ERRORS, REJECTED_MS))) findings.responses.push(`${problem} made no post fail`);
}

/**
 * Makes system calls of a running process fail, in strace's syntax (`fdatasync:error=EIO:when=3+5`). Resolves once every
 * thread is traced; the returned function ends it.
 */
async function injectError(pid: number, inject: string): Promise<() => Promise<void>> {
  const options = ['-f', '-q', '-e', `trace=${inject.split(':')[0]}`, '-e', `inject=${inject}`, '-e', 'signal=none'];
  const command = ['strace', ...options, '-o', '/dev/null', '-p', String(pid)];
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
  process.on('exit', () => child.kill('SIGKILL'));
  const isTraced = (): boolean =>
    readdirSync(`/proc/${pid}/task`).every((task) =>
      readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8').includes(`TracerPid:\t${child.pid}\n`),
    );
  while (!isTraced()) {
    if (child.exitCode !== null) throw new Error(`strace ended: ${await child.stderr.text()}`);
    await Bun.sleep(5);
  }
  return async () => {
    child.kill('SIGINT');
    await child.exited;
  };
}

/**
 * Makes the kernel switch the file system of a server under load to read-only, as it does after a disk error. The
 * server is then stopped, and the file system checked and mounted again.
 */
export async function readOnlyRound(folder: string, findings: Findings): Promise<void> {
  const disk = new SmallDisk(folder, 'ext4', MEGABYTES);
  const subject = new Subject(folder, findings);
  await subject.begin();
  // Linux may report success for a flush that is in progress at this moment and then discard its data
  // (docs/reliability.md).
  await subject.load.stop();
  disk.failReadOnly();
  subject.loadOn();
  await expectRejections(subject, 'a read-only disk', findings);
  await Bun.sleep(ERROR_MS);
  await subject.stop();
  const expectNoStart = async (): Promise<void> => {
    const error = await subject.start();
    if (error !== null && /^1 .*read-only.*ount it writable/.test(error)) return;
    findings.ends.push(`a start on a read-only disk: ${error ?? 'it serves'}`);
    if (error === null) await subject.stop();
  };
  await expectNoStart();
  disk.repair();
  disk.remountReadOnly();
  await expectNoStart();
  disk.repair();
  await subject.startOrThrow();
  await subject.inspect();
  subject.loadOn();
  findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
  await subject.stop();
  subject.close();
  disk.unmount();
}

const PAGE_BYTES = 4096;

/** Damages a database in use: the server must still respond, must not produce a backup, and must not start again. */
export async function proveDamage({ check, none, folder }: Proof, findings: Findings): Promise<void> {
  mkdirSync(join(folder, 'damage'));
  const subject = new Subject(join(folder, 'damage'), findings);
  await subject.begin();
  await subject.stop();
  await subject.startOrThrow();
  const file = join(subject.dataDir, 'hub.db');
  overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES);
  const { admin, url } = subject.running;
  const { key, hubId } = subject.team.spareKey;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const paths = ['/hubs', '/keys', `/hubs/${hubId}/messages`, '/users', '/audit', '/search?q=Post'];
  const requests: (() => Promise<Response>)[] = [
    ...paths.map((path) => () => admin.raw('GET', path)),
    () => admin.raw('POST', '/hubs', { name: 'After the damage' }),
    subject.signIn,
    () => fetch(`${url}/api/public/v1/messages`, { method: 'POST', headers, body: '{"text":"After the damage"}' }),
    () => fetch(`${url}/readyz`),
  ];
  const problems: string[] = [];
  let rejected = 0;
  for (const request of [...requests, ...requests]) {
    const response = await request();
    if (response.ok) continue;
    rejected += 1;
    problems.push(...([problemOfError(response.status, await response.text(), 503) ?? []].flat() as string[]));
  }
  none('damage in use: what cannot be read or written is 503 with the four fields', problems);
  check(
    'damage in use: the damage was met, and the server goes on',
    rejected > 0 && (await fetch(`${url}/healthz`)).ok,
  );
  const backup = join(folder, 'damaged-backup.db');
  const { code, stdout } = await startHubctl(subject.dataDir, ['backup', backup]).ended;
  const isRejected = code === 1 && stdout.includes('The database is damaged') && !existsSync(backup);
  check('damage in use: a backup fails with the reason and leaves no file', isRejected, isRejected ? '' : stdout);
  await subject.stop();
  const error = (await subject.start()) ?? 'it serves';
  check('damage in use: the next start rejects it', /hub\.db is damaged/.test(error));
}

function overwrite(file: string, position: number, length: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, position);
  closeSync(handle);
}
