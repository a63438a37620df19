/**
 * Proves that credentials are rejected once they have been revoked: keys that are revoked or replaced or that lose
 * their Hub, and users who lose a token, a session, their account or a Hub, all while they post over several
 * connections. No request sent after the response to the revocation may be accepted, not even after the server has been
 * killed and restarted and its clock has been changed. Then it checks that expiring and rotated keys stop working at
 * the exact millisecond.
 *
 * The long form: `--keys 1000 --users 100 --ends 20`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ManualClockRun } from './limits/hand-clocked-life.ts';
import { type Proof, runProof } from './proof.ts';
import { endsInTime } from './revocation/ends-in-time.ts';
import { type KeyThatEnds, keysThatEnd } from './revocation/keys-that-end.ts';
import { ask, endUnderLoad, type Outcome, type Subject } from './revocation/under-load.ts';
import { usersWhoEnd } from './revocation/users-who-end.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '60' },
    users: { type: 'string', default: '10' },
    ends: { type: 'string', default: '4' },
  },
});
const [keyCount, usersCount, endCount] = [values.keys, values.users, values.ends].map(Number) as [
  number,
  number,
  number,
];

/** The number of credentials that are revoked at the same time. */
const AT_ONCE = 16;
const JUMPS_MS = [-26 * 3_600_000, 52 * 3_600_000];

await runProof({ limitSeconds: 120 + keyCount + usersCount * 2 + endCount * 10 }, async (proof) => {
  for (const writer of ['in the main thread', 'in a thread of its own'] as const) await underLoad(proof, writer);
  const run = new ManualClockRun(join(proof.folder, 'ends'));
  await run.start();
  const { ends, problems } = await endsInTime(run, endCount);
  proof.check(
    `${ends} expiries and 24-hour overlaps end at their exact millisecond, across kills and clock changes`,
    ends > 0 && problems.length === 0,
    problems.slice(0, 3).join('; '),
  );
  await run.stop();
});

async function underLoad(proof: Proof, writer: 'in the main thread' | 'in a thread of its own'): Promise<void> {
  const slowDisk = writer === 'in a thread of its own';
  const run = new ManualClockRun(join(proof.folder, slowDisk ? 'thread' : 'main'), { slowDisk });
  await run.start();
  const { admin, port } = run;
  const keys = await keysThatEnd(admin, keyCount / 2, () => port);
  const users = await usersWhoEnd(admin, `http://127.0.0.1:${port}`, { count: usersCount / 2, from: keyCount });

  const ofKeys = await endAll(port, keys);
  const counted = await miscounted(run, keys, ofKeys);
  report(proof, `writing ${writer}: ${keys.length} keys revoked, replaced, or their Hub deleted`, ofKeys);
  const ofUsers = await endAll(port, users);
  report(proof, `writing ${writer}: ${users.length} tokens, sessions, accounts and memberships ended`, ofUsers);
  proof.check('every 201 is counted, and nothing else', counted.length === 0, counted.slice(0, 3).join('; '));

  await run.kill();
  await run.start();
  const back: string[] = [];
  for (const jump of JUMPS_MS) {
    await run.jump(jump);
    for (const subject of [...keys, ...users]) {
      const status = await ask(run.port, subject);
      if (status !== subject.rejected) back.push(`${subject.name}: ${status}`);
    }
  }
  proof.check(
    'all stay rejected after a kill, whatever the clock is set to',
    back.length === 0,
    back.slice(0, 3).join('; '),
  );
  await run.stop();
}

async function endAll(port: number, subjects: readonly Subject[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next; index < subjects.length; index = next) {
      next += 1;
      outcomes[index] = await endUnderLoad(port, subjects[index] as Subject);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

function report(proof: Proof, what: string, outcomes: readonly Outcome[]): void {
  const sum = (field: 'accepted' | 'late'): number => outcomes.reduce((all, outcome) => all + outcome[field], 0);
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  proof.check(
    `${what}: of ${sum('late')} requests sent after the response, none is accepted`,
    problems.length === 0 && sum('late') > 0 && sum('accepted') > 0,
    `${sum('accepted')} accepted before; ${problems.slice(0, 3).join('; ')}`,
  );
}

/** Checks that rejected requests have created nothing. */
async function miscounted(run: ManualClockRun, keys: readonly KeyThatEnds[], outcomes: readonly Outcome[]) {
  const posts = new Map((await run.admin.listKeys()).map(({ id, postCount }) => [id, postCount]));
  return keys.flatMap(({ name, keyId }, index) => {
    const [stored, accepted] = [posts.get(keyId), outcomes[index]?.accepted];
    return stored === accepted ? [] : [`${name}: ${stored} posts, ${accepted} accepted`];
  });
}
