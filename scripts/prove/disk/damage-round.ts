import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof } from '@hub/testkit';
import { HARMS, overwrite, overwritePage, PAGE_BYTES, problemOfHarmed, SEARCH_HARMS, usedPages } from './damage.ts';
import { harmInUse } from './damage-in-use.ts';
import { Findings } from './findings.ts';
import { Subject } from './subject.ts';

const LOAD_MS = 800;
const SEARCH_BACK_MS = 5_000;

/** Runs the rounds for everything that can be damaged: a database at rest, one in use, and the search index. */
export async function proveDamage(proof: Proof, pages: number): Promise<void> {
  const findings = new Findings();
  const folder = join(proof.folder, 'damage');
  mkdirSync(folder);
  const subject = new Subject(folder, { findings });
  await subject.begin();
  await Bun.sleep(LOAD_MS);
  await subject.stop();
  await harmAtRest(proof, subject.dataDir, pages);
  await harmSearch(proof, subject);
  await subject.stop();
  await harmInUse(proof, subject);
}

async function harmAtRest(proof: Proof, sound: string, pages: number): Promise<void> {
  const problems: string[] = [];
  const used = usedPages(join(sound, 'hub.db'));
  const chosen = Array.from({ length: pages }, () => 2 + Math.floor(Math.random() * (used - 1)));
  const harms = [
    ...Object.entries(HARMS),
    ...chosen.map((page) => [`page ${page} overwritten`, overwritePage(page)] as const),
  ];
  for (const [name, harm] of harms) {
    const problem = await problemOfHarmed(sound, `${sound}.harmed`, harm);
    if (problem) problems.push(`${name}: ${problem}`);
  }
  proof.none(
    `damage: a database is rejected with a clear message and left unchanged, with ${Object.keys(HARMS).join(', ')}, and with ${pages} of its ${used} pages overwritten one by one`,
    problems,
  );
}

/** Checks that all posts can be found again, no matter how the search index was damaged. */
async function harmSearch(proof: Proof, subject: Subject): Promise<void> {
  const file = join(subject.dataDir, 'search.db');
  const problems: string[] = [];
  for (const [name, harm] of Object.entries(SEARCH_HARMS)) {
    harm(file);
    const error = await subject.start();
    if (error !== null) throw new Error(error);
    if (!(await isFound(subject))) problems.push(name);
    await subject.stop();
  }
  const error = await subject.start();
  if (error !== null) throw new Error(error);
  if (!(await isFound(subject))) problems.push('sound');
  overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES);
  subject.loadOn();
  if ((await subject.load.untilAcknowledged(2_000)) > 1_000) problems.push('in use: posts are held up');
  await subject.load.stop();
  if (!(await isFound(subject))) problems.push('overwritten in use');
  proof.check(
    `damage: the search index is rebuilt when it is ${Object.keys(SEARCH_HARMS).join(', ')}, also in use`,
    problems.length === 0,
    problems.join('; '),
  );
}

/** The oldest posts are the last to be added to a rebuilt index. */
async function isFound({ running, team }: Subject): Promise<boolean> {
  const wanted = Math.min(100, team.ledger.acknowledged.size);
  const oldest = [...team.ledger.acknowledged.keys()].slice(0, 1)[0];
  for (const end = performance.now() + SEARCH_BACK_MS; performance.now() < end; await Bun.sleep(50)) {
    const [newest, first] = await Promise.all(
      ['Post', 'Post 1'].map((words) =>
        running.admin.raw('GET', `/search?limit=100&q=${encodeURIComponent(`"${words}" `)}`),
      ),
    );
    if (!newest?.ok || !first?.ok) continue;
    const found = ((await newest.json()) as { items: unknown[] }).items.length;
    const { items } = (await first.json()) as { items: { id: string }[] };
    if (found === wanted && items.some(({ id }) => id === oldest)) return true;
  }
  return false;
}
