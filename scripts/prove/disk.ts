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
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Proof, problemOfError, proofOptions, RULES, readMetric, runProof } from '@hub/testkit';
import { errorRound, proveDamage, readOnlyRound } from './disk/failures.ts';
import { type FileSystem, requireMounting, SmallDisk } from './disk/small-disk.ts';
import { Findings, Subject } from './disk/subject.ts';

const { rounds, errors } = proofOptions({ rounds: 2, errors: 1 }, { long: { rounds: 20, errors: 10 } });

const MEGABYTES = 64;
const FULL_MS = 800;
const STEP_BYTES = 100_000;
const STEP_MS = 20;
/** The size at which SQLite starts a checkpoint of the log, plus a small margin. */
const CHECKPOINT_BYTES = 4_400_000;
const ERRORS = 10;
const REQUESTS = 60;
/** Key usage and unsaved blocks are flushed every five seconds. */
const FLUSH_WITHIN_MS = 7_000;
const FULL_ERROR = /^1 The disk of \S+ is full\. Free some space and start again\./;

/** The ways in which a disk fills up under load. */
const MOMENTS = {
  'by the posts themselves': async (disk: SmallDisk) => disk.takeAllBut(400_000),
  'by another program, at once': async (disk: SmallDisk) => disk.takeAllBut(0),
  'so that the log still fits, but not its checkpoint': async (disk: SmallDisk, { dataDir }: Subject) => {
    const walBytes = statSync(join(dataDir, 'hub.db-wal')).size;
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
    change: {
      file: 'apps/api/src/storage/sqlite/engine/group-commit.ts',
      find: 'transaction.commit();',
      replace: `try {
      transaction.commit();
    } catch (error) {
      this.#abandon();
      if (Math.random() > 0.1) throw error;
    }`,
    },
    fails: RULES.kept,
    part: 'errors',
  },
] as const;

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
  const subject = new Subject(folder, findings);
  await subject.begin();
  await Bun.sleep(Math.random() * 300);
  await fill(disk, subject);
  if (!(await subject.load.untilRejected(ERRORS, 15_000))) findings.responses.push(`${moment}: no post was rejected`);
  await Promise.all([Bun.sleep(FULL_MS), administer(subject, findings), block(subject, findings)]);
  const { adminSocket } = subject.running.server;
  const isShown =
    (await readMetric(adminSocket, 'hub_commit_batches_total{result="failed"}')) > 0 &&
    (await readMetric(adminSocket, 'hub_disk_free_bytes')) < 1_000_000;
  if (!isShown) findings.responses.push('the metrics do not show the full disk');
  if (ending === ENDINGS[0]) {
    disk.giveBack();
    await recover(subject, findings);
  } else {
    await (ending === ENDINGS[1] ? subject.kill() : subject.stop());
    await startOnFullDisk(subject, disk, findings);
  }
  await subject.load.stop();
  await subject.inspect();
  await subject.stop();
  subject.close();
  disk.unmount();
  return `${fileSystem} full ${moment}; then ${ending}`;
}

/** Checks that posts are accepted again, and that the block that could not be saved is now saved. */
async function recover(subject: Subject, findings: Findings): Promise<void> {
  await subject.recovered();
  await expectSavedBlock(subject, findings);
  await subject.inspect();
  subject.loadOn();
  await subject.load.untilAcknowledged(1_000);
  await subject.kill();
  await subject.startOrThrow();
  subject.loadOn();
  await expectBlock(subject, findings);
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
async function administer({ running: { admin }, team, signIn }: Subject, findings: Findings): Promise<void> {
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

/** Checks that a key is blocked although the block cannot be saved. */
async function block(subject: Subject, findings: Findings): Promise<void> {
  const statuses: number[] = [];
  for (let n = 0; n <= REQUESTS; n += 1) statuses.push((await knock(subject)).status);
  if (statuses.slice(0, -1).some((status) => status !== 400) || statuses.at(-1) !== 403)
    findings.blocks.push(`${REQUESTS + 1} requests returned ${[...new Set(statuses)].join(', ')}`);
  await expectBlock(subject, findings);
}

async function expectBlock(subject: Subject, findings: Findings): Promise<void> {
  const { status, headers } = await knock(subject);
  const left = Number(headers.get('retry-after'));
  if (status !== 403 || !(left > 0 && left <= 300))
    findings.blocks.push(`a blocked key gets ${status}, Retry-After ${left}`);
}

/** Sends a request that counts toward the rate limit but creates nothing. */
function knock({ team, running }: Subject): Promise<Response> {
  const headers = { authorization: `Bearer ${team.spareKey.key}`, 'content-type': 'application/json' };
  return fetch(`${running.url}/api/public/v1/messages`, { method: 'POST', headers, body: '{}' });
}

async function expectSavedBlock({ dataDir, team }: Subject, findings: Findings): Promise<void> {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  const find = database.query("select 1 from audit_entries where action = 'key.blocked' and target_id = $id");
  for (const end = performance.now() + FLUSH_WITHIN_MS; performance.now() < end; await Bun.sleep(50)) {
    if (find.get({ $id: team.spareKey.id }) !== null) return;
  }
  findings.blocks.push(`a block is not saved within ${FLUSH_WITHIN_MS} ms of the disk having room`);
}
