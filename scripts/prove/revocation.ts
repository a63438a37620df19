/**
 * Proves that what was ended is refused from then on: keys that are revoked, replaced or lose their Hub, and people who lose a token, a
 * session, the account or a Hub, while they post over several connections all the while. No request that is sent after the answer to the end
 * was received may be accepted; nor after the server was killed, started again and had its clock set. Then keys that expire, and keys
 * that were rotated, which must end in their very millisecond.
 *
 * The long form: `--keys 1000 --people 100 --ends 20`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HandClockedLife } from './limits/hand-clocked-life.ts';
import { type Proof, runProof } from './proof.ts';
import { endsInTime } from './revocation/ends-in-time.ts';
import { type KeyThatEnds, keysThatEnd } from './revocation/keys-that-end.ts';
import { peopleWhoEnd } from './revocation/people-who-end.ts';
import { ask, endUnderLoad, type Outcome, type Subject } from './revocation/under-load.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '60' },
    people: { type: 'string', default: '10' },
    ends: { type: 'string', default: '4' },
  },
});
const [keyCount, peopleCount, endCount] = [values.keys, values.people, values.ends].map(Number) as [
  number,
  number,
  number,
];

/** So many are ended at the same time. */
const AT_ONCE = 16;
const JUMPS_MS = [-26 * 3_600_000, 52 * 3_600_000];

await runProof({ limitSeconds: 120 + keyCount + peopleCount * 2 + endCount * 10 }, async (proof) => {
  for (const writer of ['in the main thread', 'in a thread of its own'] as const) await underLoad(proof, writer);
  const life = new HandClockedLife(join(proof.folder, 'ends'));
  await life.start();
  const { ends, faults } = await endsInTime(life, endCount);
  proof.check(
    `${ends} expiries and overlaps of 24 hours end in their millisecond, over kills and a clock that is set`,
    ends > 0 && faults.length === 0,
    faults.slice(0, 3).join('; '),
  );
  await life.stop();
});

async function underLoad(proof: Proof, writer: 'in the main thread' | 'in a thread of its own'): Promise<void> {
  const slowDisk = writer === 'in a thread of its own';
  const life = new HandClockedLife(join(proof.folder, slowDisk ? 'thread' : 'main'), { slowDisk });
  await life.start();
  const { admin, port } = life;
  const keys = await keysThatEnd(admin, keyCount / 2, () => port);
  const people = await peopleWhoEnd(admin, `http://127.0.0.1:${port}`, { count: peopleCount / 2, from: keyCount });

  const ofKeys = await endAll(port, keys);
  const counted = await miscounted(life, keys, ofKeys);
  say(proof, `writing ${writer}: ${keys.length} keys revoked, replaced, or their Hub deleted`, ofKeys);
  const ofPeople = await endAll(port, people);
  say(proof, `writing ${writer}: ${people.length} tokens, sessions, accounts and memberships ended`, ofPeople);
  proof.check(
    'what was answered 201 is counted, and nothing else',
    counted.length === 0,
    counted.slice(0, 3).join('; '),
  );

  await life.kill();
  await life.start();
  const back: string[] = [];
  for (const jump of JUMPS_MS) {
    await life.jump(jump);
    for (const subject of [...keys, ...people]) {
      const status = await ask(life.port, subject);
      if (status !== subject.refused) back.push(`${subject.name}: ${status}`);
    }
  }
  proof.check(
    'all stay ended after a kill, wherever the clock is set to',
    back.length === 0,
    back.slice(0, 3).join('; '),
  );
  await life.stop();
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

function say(proof: Proof, what: string, outcomes: readonly Outcome[]): void {
  const sum = (field: 'accepted' | 'late'): number => outcomes.reduce((all, outcome) => all + outcome[field], 0);
  const faults = outcomes.flatMap((outcome) => outcome.faults);
  proof.check(
    `${what}: of ${sum('late')} requests sent after the answer, none is accepted`,
    faults.length === 0 && sum('late') > 0 && sum('accepted') > 0,
    `${sum('accepted')} accepted before; ${faults.slice(0, 3).join('; ')}`,
  );
}

/** A request that was refused has left nothing. */
async function miscounted(life: HandClockedLife, keys: readonly KeyThatEnds[], outcomes: readonly Outcome[]) {
  const posts = new Map((await life.admin.listKeys()).map(({ id, postCount }) => [id, postCount]));
  return keys.flatMap(({ name, keyId }, index) => {
    const [stored, accepted] = [posts.get(keyId), outcomes[index]?.accepted];
    return stored === accepted ? [] : [`${name}: ${stored} posts, ${accepted} accepted`];
  });
}
