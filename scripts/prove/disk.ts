/**
 * Promise: while the disk fails (it is full, system calls fail, its file system is read-only, its pages are damaged), a
 * 201 still means that the post is stored. Other posts get a 503 with the four fields, reading continues to work, and
 * posting resumes by itself, or the server says what to do.
 *
 * Proof: a real server with load and readers on small file systems that are filled, remounted and damaged, and under
 * strace, which makes its system calls fail.
 *
 * Needs Linux, root (for the file systems) and strace. Long form: 20 full disks and 10 rounds of errors; or
 * `--rounds`, `--errors`.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileSystem, requireMounting, SmallDisk } from './disk/small-disk.ts';
import { Findings, Subject } from './disk/subject.ts';
import { RULES } from './kit/inspect-database.ts';
import { problemOfError } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';

const { rounds, errors } = proofOptions({ rounds: 2, errors: 1 }, { long: { rounds: 20, errors: 10 } });

const MEGABYTES = 64;
const FULL_MS = 800;
const STEP_BYTES = 100_000;
const STEP_MS = 20;
/** The size at which SQLite starts a checkpoint of the log, plus a small margin. */
const CHECKPOINT_BYTES = 4_400_000;
const ERRORS = 10;
const FULL_ERROR = /^1 The disk of \S+ is full\. Free some space and start again\./;

/** The ways in which a disk fills up under load. */
const MOMENTS = {
  'by the posts themselves': async (disk: SmallDisk) => disk.takeAllBut(400_000),
  'by another program, at once': async (disk: SmallDisk) => disk.takeAllBut(0),
  'so that the log still fits, but not its checkpoint': async (disk: SmallDisk, { server }: Subject) => {
    const walBytes = statSync(join(server.dataDir, 'hub.db-wal')).size;
    disk.takeAllBut(Math.max(0, CHECKPOINT_BYTES - walBytes));
  },
  'by another program, bit by bit': async (disk: SmallDisk) => {
    while (disk.freeBytes > 0) {
      disk.takeAllBut(disk.freeBytes - STEP_BYTES);
      await Bun.sleep(STEP_MS);
    }
  },
  'but for a page': async (disk: SmallDisk) => disk.takeAllBut(4096),
  'but for a few pages': async (disk: SmallDisk) => disk.takeAllBut(20_000),
} as const;

/** The events that follow once the disk has been full for a while. */
const ENDINGS = [
  'free space, and a kill under load',
  'a kill, and a start on the full disk',
  'a stop, and a start on the full disk',
] as const;
const FILE_SYSTEMS: readonly FileSystem[] = ['tmpfs', 'ext4'];

const counterProofs = [
  // Takes one of ten failed commits for done.
  {
    file: 'apps/api/src/storage/sqlite/engine/group-commit.ts',
    find: 'transaction.commit();',
    replace: `try {
      transaction.commit();
    } catch (error) {
      this.#abandon();
      if (Math.random() > 0.1) throw error;
    }`,
    fails: RULES.kept,
    part: 'errors',
  },
] as const;

async function proveErrors(proof: Proof): Promise<void> {
  const findings = new Findings();
  for (let round = 0; round < errors; round += 1) await errorRound(join(proof.folder, `errors-${round}`), findings);
  findings.report(proof, 'errors');
}

async function proveFull(proof: Proof): Promise<void> {
  const findings = new Findings();
  for (let round = 0; round < rounds; round += 1) {
    proof.report(`full disk ${round + 1}: ${await fullRound(join(proof.folder, `full-${round}`), round, findings)}`);
  }
  findings.report(proof, 'full disk');
}

/** Runs a round on a disk that fills up. Returns a summary. */
async function fullRound(folder: string, round: number, findings: Findings): Promise<string> {
  const moments = Object.entries(MOMENTS);
  // Each pass over the moments combines every moment with the next ending and the other file system.
  const pass = Math.floor(round / moments.length);
  const fileSystem = FILE_SYSTEMS[(round + pass) % FILE_SYSTEMS.length] as FileSystem;
  const [moment, fill] = moments[round % moments.length] as (typeof moments)[number];
  const ending = ENDINGS[(round + pass) % ENDINGS.length] as (typeof ENDINGS)[number];
  const disk = new SmallDisk(folder, fileSystem, MEGABYTES);
  const subject = await Subject.begin(folder, findings);
  await Bun.sleep(Math.random() * 300);
  await fill(disk, subject);
  if (!(await subject.load.untilRejected(ERRORS, 15_000))) findings.responses.push(`${moment}: no post was rejected`);
  await Promise.all([Bun.sleep(FULL_MS), administer(subject, findings)]);
  if (ending === ENDINGS[0]) {
    disk.giveBack();
    await recover(subject);
  } else {
    await (ending === ENDINGS[1] ? subject.kill() : subject.stop());
    await startOnFullDisk(subject, disk, findings);
  }
  await subject.load.stop();
  await subject.inspect();
  await subject.finish();
  disk.unmount();
  return `${fileSystem} full ${moment}; then ${ending}`;
}

/** Checks that posts are accepted again, and are still there after a kill. */
async function recover(subject: Subject): Promise<void> {
  await subject.recovered();
  await subject.inspect();
  subject.loadOn();
  await subject.load.untilAcknowledged(1_000);
  await subject.kill();
  await subject.startOrThrow();
  subject.loadOn();
}

/** The server must serve its data, or exit and say what to do. With free space, it must work fully again. */
async function startOnFullDisk(subject: Subject, disk: SmallDisk, findings: Findings): Promise<void> {
  const error = await subject.start();
  if (error === null) {
    await subject.inspect();
    disk.giveBack();
  } else {
    if (!FULL_ERROR.test(error)) findings.ends.push(error);
    disk.giveBack();
    await subject.startOrThrow();
  }
  subject.loadOn();
  findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
}

/** Checks that requests by an admin and a teammate fail in the same way while the disk is full. */
async function administer({ server: { admin }, team, signIn }: Subject, findings: Findings): Promise<void> {
  const actions: Readonly<Record<string, () => Promise<Response>>> = {
    'a new Hub': () => admin.raw('POST', '/hubs', { name: `Full ${crypto.randomUUID()}` }),
    'a rotation': () => admin.raw('POST', `/keys/${team.spareKey.id}/rotation`, {}),
    'a sign-in': signIn,
  };
  for (const [name, act] of Object.entries(actions)) {
    const response = await act();
    const body = await response.text();
    // There may be space for a page or two. If so, the change succeeds and must persist.
    if (response.ok && name === 'a rotation') team.ledger.issued.add((JSON.parse(body) as { id: string }).id);
    const problem = response.ok ? null : problemOfError(response.status, body, 503);
    if (problem) findings.responses.push(`${name}: ${problem}`);
  }
}

const ROOMY_MEGABYTES = 128;
const [ERROR_MS, REJECTED_MS, REJECTIONS] = [300, 8_000, 5];

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
async function errorRound(folder: string, findings: Findings): Promise<void> {
  mkdirSync(folder);
  const disk = new SmallDisk(folder, 'tmpfs', ROOMY_MEGABYTES);
  const subject = await Subject.begin(folder, findings, { HUB_LOG_LEVEL: 'debug' });
  for (const [number, problem] of PROBLEMS.entries()) {
    const heal = await injectError(subject.server.pid, problem);
    await expectRejections(subject, problem, findings);
    await Bun.sleep(ERROR_MS);
    await heal();
    if (number < PROBLEMS.length - 1) findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
  }
  await subject.recovered();
  await subject.inspect();
  for (const problem of FATAL_ERRORS) {
    subject.loadOn();
    const heal = await injectError(subject.server.pid, problem);
    await expectRejections(subject, problem, findings);
    await subject.kill();
    await heal();
    await subject.startOrThrow();
    await subject.inspect();
  }
  await subject.finish();
  disk.unmount();
}

/** Checks that the error has an effect, since otherwise the round would prove nothing. */
async function expectRejections({ load }: Subject, problem: string, findings: Findings): Promise<void> {
  if (!(await load.untilRejected(REJECTIONS, REJECTED_MS))) findings.responses.push(`${problem} made no post fail`);
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
async function readOnlyRound(folder: string, findings: Findings): Promise<void> {
  const disk = new SmallDisk(folder, 'ext4', ROOMY_MEGABYTES);
  const subject = await Subject.begin(folder, findings);
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
  await subject.finish();
  disk.unmount();
}

const PAGE_BYTES = 4096;

/** Damages a database in use: the server must still respond. */
async function proveDamage({ check, none, folder }: Proof, findings: Findings): Promise<void> {
  const subject = await Subject.begin(join(folder, 'damage'), findings);
  await subject.stop();
  await subject.startOrThrow();
  const file = join(subject.server.dataDir, 'hub.db');
  // In place: all but the first page.
  writeFileSync(file, readFileSync(file).fill(0xa5, PAGE_BYTES), { flag: 'r+' });
  const { admin, url } = subject.server;
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
  const goesOn = (await fetch(`${url}/healthz`)).ok;
  check('damage in use: the damage was met, and the server goes on', rejected > 0 && goesOn);
  await subject.stop();
}

await runProof({ limitSeconds: 100 + rounds * 20 + errors * 30, counterProofs }, async (proof) => {
  requireMounting(proof.folder);
  if (Bun.which('strace') === null) throw new Error('This proof needs strace: apt-get install strace');
  // Each part spends most of its time waiting.
  await Promise.all([
    proof.part('full', () => proveFull(proof)),
    proof.part('errors', () => proveErrors(proof)),
    proof.part('read-only', async () => {
      const findings = new Findings();
      await readOnlyRound(join(proof.folder, 'read-only'), findings);
      findings.report(proof, 'read-only');
      await proveDamage(proof, new Findings());
    }),
  ]);
});
