import { Database } from 'bun:sqlite';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Proof, problemOfError, spawnServer, startHubctl, stopServer } from '@hub/testkit';
import { Findings, Subject } from './subject.ts';

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
    await subject.startOrThrow();
    if (!(await isFound(subject))) problems.push(name);
    await subject.stop();
  }
  await subject.startOrThrow();
  if (!(await isFound(subject))) problems.push('sound');
  overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES);
  subject.loadOn();
  if ((await subject.load.untilAcknowledged(2_000)) > 1_000) problems.push('in use: posts are held up');
  await subject.load.stop();
  if (!(await isFound(subject))) problems.push('overwritten in use');
  proof.none(
    `damage: the search index is rebuilt when it is ${Object.keys(SEARCH_HARMS).join(', ')}, also in use`,
    problems,
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

const PAGE_BYTES = 4096;
const JUNK = 0xa5;

/** Ways to damage the database of a stopped server. The server must reject the result when it starts. */
const HARMS: Readonly<Record<string, (file: string) => void>> = {
  'its header overwritten': (file) => overwrite(file, 0, 100),
  'its first page overwritten but for the header': (file) => overwrite(file, 100, PAGE_BYTES - 100),
  'cut to a half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'cut by a page': (file) => truncateSync(file, statSync(file).size - PAGE_BYTES),
  'cut in a page': (file) => truncateSync(file, statSync(file).size - 100),
  emptied: (file) => truncateSync(file, 0),
  'its second half zeroed': (file) => {
    const half = Math.floor(statSync(file).size / 2 / PAGE_BYTES) * PAGE_BYTES;
    overwrite(file, half, statSync(file).size - half, 0);
  },
};

/** Overwrites one page. Pages are numbered from 1; use this for page 2 and later. */
const overwritePage = (page: number) => (file: string) => overwrite(file, (page - 1) * PAGE_BYTES, PAGE_BYTES);

function overwrite(file: string, position: number, length: number, value = JUNK): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, value), 0, length, position);
  closeSync(handle);
}

/** Returns the pages in use: all except those on the free list. */
function usedPages(file: string): number {
  using database = new Database(file, { readonly: true });
  const free = Number(database.query('PRAGMA freelist_count').values()[0]?.[0]);
  if (free > 0) throw new Error(`${free} pages are free: to overwrite those would be no harm`);
  return statSync(file).size / PAGE_BYTES;
}

/**
 * Describes what a server does wrong with this damage; `null` if the server rejects the file with a message and leaves
 * the file unchanged.
 */
async function problemOfHarmed(sound: string, copy: string, harm: (file: string) => void): Promise<string | null> {
  cpSync(sound, copy, { recursive: true });
  const file = join(copy, 'hub.db');
  harm(file);
  const before = readFileSync(file);
  const server = spawnServer({ dataDir: copy });
  const serving = await Promise.race([server.serving().catch(() => null), server.ended()]);
  if (typeof serving !== 'number' && serving !== null) {
    await stopServer(server, 'SIGKILL');
    rmSync(copy, { recursive: true });
    return 'it is taken for sound';
  }
  const code = await server.ended();
  const isSame = readFileSync(file).equals(before);
  rmSync(copy, { recursive: true });
  const notified = server.stderr().trim();
  const isPlain =
    /hub\.db is (damaged.* replace the database with a backup|not a SQLite database.* put a backup in its place)/.test(
      notified,
    );
  return code === 1 && isPlain && isSame
    ? null
    : `ended with ${code}, ${isSame ? '' : 'changed it, '}and said: ${notified.slice(0, 300)}`;
}

/** Ways to damage, remove or replace a derived file. */
const SEARCH_HARMS: Readonly<Record<string, (file: string) => void>> = {
  removed: (file) => rmSync(file, { force: true }),
  'another file': (file) => writeFileSync(file, 'Dear diary, '.repeat(1_000)),
  'overwritten but for the first page': (file) => overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES),
  'cut to a half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
};

const TURNS = 3;

/**
 * Damages the database of a server that has just started. The server must still respond, and must not produce a backup
 * of the damaged database. No server is running before or afterwards.
 */
async function harmInUse({ check, none, folder }: Proof, subject: Subject): Promise<void> {
  await subject.startOrThrow();
  const file = join(subject.dataDir, 'hub.db');
  overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES);
  const { rejected, problems } = await askForEverything(subject);
  none('damage in use: what cannot be read or written is 503 with the four fields', problems);
  check('damage in use: the damage was met', rejected > 0);
  check('damage in use: the server goes on', (await fetch(`${subject.running.url}/healthz`)).ok);

  const backup = join(folder, 'damaged-backup.db');
  const { code, stdout } = await startHubctl(subject.dataDir, ['backup', backup]).ended;
  const isRejected = code === 1 && stdout.includes('The database is damaged') && !existsSync(backup);
  check(
    'damage in use: a backup fails with the reason and leaves no file',
    isRejected,
    isRejected ? '' : stdout.slice(0, 300),
  );

  await subject.stop();
  const again = (await subject.start()) ?? 'it serves';
  const isPlain = /hub\.db is damaged/.test(again);
  check('damage in use: the next start refuses it', isPlain, isPlain ? '' : again);
}

async function askForEverything({ running, team, signIn }: Subject): Promise<{ rejected: number; problems: string[] }> {
  const { admin, url } = running;
  const { key, hubId } = team.spareKey;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const paths = [
    '/hubs',
    '/keys',
    `/hubs/${hubId}/messages`,
    `/hubs/${hubId}/todos`,
    '/users',
    '/audit',
    '/search?q=Post',
  ];
  const asks: (() => Promise<Response>)[] = [
    ...paths.map((path) => () => admin.raw('GET', path)),
    () => admin.raw('POST', '/hubs', { name: 'After the damage' }),
    signIn,
    () => fetch(`${url}/api/public/v1/messages`, { method: 'POST', headers, body: '{"text":"After the damage"}' }),
    () => fetch(`${url}/readyz`),
  ];
  const problems: string[] = [];
  let rejected = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const ask of asks) {
      const response = await ask();
      if (response.ok) continue;
      rejected += 1;
      const problem = problemOfError(response.status, await response.text(), 503);
      if (problem) problems.push(problem);
    }
  }
  return { rejected, problems };
}
