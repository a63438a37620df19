import { Database } from 'bun:sqlite';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { problemOfError, readMetric } from '@hub/testkit';
import { type FileSystem, SmallDisk } from './small-disk.ts';
import { type Findings, Subject } from './subject.ts';

const MEGABYTES = 64;
const FULL_MS = 800;
const STEP_BYTES = 100_000;
const STEP_MS = 20;
/** The size at which SQLite starts a checkpoint of the log, plus a small margin. */
const CHECKPOINT_BYTES = 4_400_000;
const ERRORS = 10;
const BLOCK_AFTER = 60;
/** Key usage and unsaved blocks are flushed every five seconds. */
const FLUSH_WITHIN_MS = 7_000;

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

/** Runs a round on a disk that fills up. Returns a summary. */
export async function fullRound(folder: string, round: number, findings: Findings): Promise<string> {
  const moments = Object.keys(MOMENTS) as (keyof typeof MOMENTS)[];
  // Each pass over the moments combines every moment with the next ending and the other file system.
  const turn = Math.floor(round / moments.length);
  const fileSystem = FILE_SYSTEMS[(round + turn) % FILE_SYSTEMS.length] as FileSystem;
  const moment = moments[round % moments.length] as keyof typeof MOMENTS;
  const ending = ENDINGS[(round + turn) % ENDINGS.length] as (typeof ENDINGS)[number];
  const disk = new SmallDisk(folder, fileSystem, MEGABYTES);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  await Bun.sleep(Math.random() * 300);
  await MOMENTS[moment](disk, subject);
  if (!(await subject.load.untilRejected(ERRORS, 15_000)))
    findings.responses.push(`${moment}: the disk did not become full`);
  await Promise.all([Bun.sleep(FULL_MS), administer(subject, findings), block(subject, findings)]);
  await readMetrics(subject, findings);
  let notified = '';
  if (ending === ENDINGS[0]) {
    disk.giveBack();
    await recover(subject, findings);
  } else {
    await (ending === ENDINGS[1] ? subject.kill() : subject.stop());
    notified = await startOnFullDisk(subject, disk, findings);
  }
  await subject.load.stop();
  await subject.inspect();
  await subject.stop();
  subject.close();
  disk.unmount();
  return `${fileSystem} full ${moment}; then ${ending}${notified}`;
}

/** Frees space, and checks that posts are accepted again and that the block that could not be saved is now saved. */
async function recover(subject: Subject, findings: Findings): Promise<void> {
  await subject.recovered();
  await blockIsWritten(subject, findings);
  await subject.inspect();
  subject.loadOn();
  await subject.load.untilAcknowledged(1_000);
  await subject.kill();
  await subject.startOrThrow();
  subject.loadOn();
  await isBlocked(subject, findings);
}

/**
 * Restarts on the full disk: the server must serve its data, or exit and say what to do. With free space, it must work
 * fully again.
 */
async function startOnFullDisk(subject: Subject, disk: SmallDisk, findings: Findings): Promise<string> {
  const error = await subject.start();
  let notified = ', where it serves';
  if (error !== null) {
    notified = `, which is refused: ${error.split('\n')[0]}`;
    if (!/^1 The disk of \S+ is full\. Free some space and start again\./.test(error)) findings.ends.push(error);
    disk.giveBack();
    await subject.startOrThrow();
  } else {
    await subject.inspect();
    disk.giveBack();
  }
  subject.loadOn();
  findings.recoveriesMs.push(await subject.load.untilAcknowledged(6_000));
  await subject.load.stop();
  return notified;
}

/** Checks that requests by an admin and a teammate fail in the same way while the disk is full. */
async function administer(subject: Subject, findings: Findings): Promise<void> {
  const { admin } = subject.running;
  const { ledger, spareKey } = subject.team;
  const actions: [string, () => Promise<Response>][] = [
    ['a new Hub', () => admin.raw('POST', '/hubs', { name: `Full ${crypto.randomUUID()}` })],
    ['a rotation', () => admin.raw('POST', `/keys/${spareKey.id}/rotation`, {})],
    ['a sign-in', () => subject.signIn()],
    [
      'a user',
      () =>
        admin.raw('POST', '/users', {
          name: 'Bob',
          email: 'bob@example.org',
          password: 'the password of Bob',
          role: 'member',
        }),
    ],
  ];
  for (const [action, act] of actions) {
    const response = await act();
    const body = await response.text();
    // There may be space for a page or two. If so, the change succeeds and must persist.
    if (response.status === 201 || response.status === 200) {
      if (action === 'a rotation') ledger.issued.add((JSON.parse(body) as { id: string }).id);
      continue;
    }
    const problem = problemOfError(response.status, body, 503);
    if (problem) findings.responses.push(`${action}: ${problem}`);
  }
}

/** Checks that a key stays blocked although the block cannot be saved. */
async function block(subject: Subject, findings: Findings): Promise<void> {
  const statuses: number[] = [];
  for (let n = 0; n <= BLOCK_AFTER; n += 1) statuses.push((await knock(subject)).status);
  if (statuses.slice(0, -1).some((status) => status !== 400) || statuses.at(-1) !== 403) {
    findings.blocks.push(`${BLOCK_AFTER + 1} requests returned ${[...new Set(statuses)].join(', ')}`);
  }
  await isBlocked(subject, findings);
}

async function isBlocked(subject: Subject, findings: Findings): Promise<void> {
  const { status, headers } = await knock(subject);
  const left = Number(headers.get('retry-after'));
  if (status !== 403 || !(left > 0 && left <= 300))
    findings.blocks.push(`a blocked key gets ${status}, Retry-After ${left}`);
}

/** Sends a request that counts toward the rate limit but creates nothing. */
function knock(subject: Subject): Promise<Response> {
  const headers = { authorization: `Bearer ${subject.team.spareKey.key}`, 'content-type': 'application/json' };
  return fetch(`${subject.running.url}/api/public/v1/messages`, { method: 'POST', headers, body: '{}' });
}

async function blockIsWritten(subject: Subject, findings: Findings): Promise<void> {
  using database = new Database(join(subject.dataDir, 'hub.db'), { readonly: true });
  const find = database.query('select 1 from audit_entries where action = $action and target_id = $id');
  const found = () => find.get({ $action: 'key.blocked', $id: subject.team.spareKey.id }) !== null;
  for (const end = performance.now() + FLUSH_WITHIN_MS; !found(); await Bun.sleep(50)) {
    if (performance.now() < end) continue;
    findings.blocks.push(`a block is not saved within ${FLUSH_WITHIN_MS} ms of the disk having room`);
    return;
  }
}

/** Checks that the metrics show the problem. */
async function readMetrics({ running }: Subject, findings: Findings): Promise<void> {
  const { adminSocket } = running.server;
  if (!((await readMetric(adminSocket, 'hub_commit_batches_total{result="failed"}')) > 0))
    findings.responses.push('the metrics know of no failed commit');
  if (!((await readMetric(adminSocket, 'hub_disk_free_bytes')) < 1_000_000))
    findings.responses.push('the metrics do not show that the disk is full');
}

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
  await subject.startOrThrow();
  await subject.inspect();
  await subject.stop();
  subject.close();
  disk.unmount();
  return 'a kill, and a start with 16 KiB left where blocks have 1 KiB; then with room';
}
