/**
 * Proves that no key is anywhere in clear but in the one answer that hands it over: issues dozens, uses and misuses them
 * in every way, kills and stops the server, and looks for each of them in all files, logs, answers and in what `hubctl`
 * writes and shows to the system. A key that was posted as a text is found, so that the search can fail.
 */
import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { adminOver } from './admin.ts';
import { openConnection, postRequest } from './connection.ts';
import { type Proof, runProof } from './proof.ts';
import { driveHubctl } from './secrets/drive-hubctl.ts';
import { type Drive, driveCases, driveFaults, driveLives, readAll, tryKey } from './secrets/drive-server.ts';
import { Hunt } from './secrets/hunt.ts';
import { type ServerProcess, spawnServer, stopServer } from './start-server.ts';

const METRICS_TOKEN = 'Qm7vT2xLs9cRw4KzEo1HnY6bJd8PfGa3Ui';

await runProof({ limitSeconds: 240 }, async (proof) => {
  const hunt = new Hunt();
  const folders = {
    dataDir: join(proof.folder, 'data'),
    home: join(proof.folder, 'home'),
    vault: join(proof.folder, 'vault'),
  };
  for (const folder of [folders.dataDir, folders.home]) mkdirSync(folder);

  const planted = await firstLife(hunt, folders);
  await secondLife(hunt, folders);
  hunt.noteFiles(folders.home, 'at home');
  copyWithin(hunt, folders.dataDir, proof);

  proof.check(
    'every request and command went the way it was meant to',
    hunt.astray.length === 0,
    hunt.astray.join('\n'),
  );
  const places = hunt.placesOf(planted);
  for (const file of ['hub.db', 'hub.db-wal', 'search.db', 'copy.db']) {
    proof.check(
      `a key that was posted as a text is found in ${file}`,
      places.some((place) => place.includes(` ${file} `)),
    );
  }
  const elsewhere = places.filter((place) => !/ (hub|search|copy)\.db/.test(place));
  proof.check('and it is in no log and no answer', elsewhere.length === 0, elsewhere.join('\n'));
  const findings = hunt.findings();
  proof.say(`${hunt.secrets} secrets looked for in ${hunt.places} places, ${hunt.megabytes.toFixed(1)} MB`);
  proof.check('no secret is found anywhere', findings.length === 0, findings.join('\n'));
});

interface Folders {
  dataDir: string;
  home: string;
  vault: string;
}

/** Everything, and an end without warning. Returns a key that was posted as a text. */
async function firstLife(hunt: Hunt, folders: Folders): Promise<string> {
  const server = spawn(folders);
  const { port, url } = await server.serving();
  const admin = adminOver(server.adminSocket);
  const { id: hubId } = await admin.createHub('Secrets');
  const drive: Drive = { hunt, server, port, url, hubId };
  hunt.knowText('the metrics token', METRICS_TOKEN);
  await driveCases(drive);
  await readMetrics(drive);
  await driveLives(drive);
  await driveFaults(drive);
  await driveHubctl({ hunt, admin, hubId, url, ...folders });
  const planted = await plant(drive);
  await readAll(hunt, admin, hubId);
  hunt.noteFiles(folders.dataDir, 'while the server runs');
  await end(hunt, server, 'SIGKILL');
  hunt.noteFiles(folders.dataDir, 'after SIGKILL');
  return planted;
}

async function readMetrics({ hunt, url }: Drive): Promise<void> {
  for (const [token, status] of [
    [METRICS_TOKEN, 200],
    [`${METRICS_TOKEN}x`, 404],
  ] as const) {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    hunt.expect('GET /metrics', status, answer.status);
    hunt.note('the metrics', await answer.text());
  }
}

/** Starts on what the kill left, and ends as it should. */
async function secondLife(hunt: Hunt, folders: Folders): Promise<void> {
  const server = spawn(folders);
  const { port, url } = await server.serving();
  const admin = adminOver(server.adminSocket);
  const { id: hubId } = await admin.createHub('Again');
  const { key } = await admin.issueKey(hubId, 'again');
  hunt.know('a key after the restart', key);
  await tryKey({ hunt, server, port, url, hubId }, 'a key after the restart', key, 201);
  await readAll(hunt, admin, hubId);
  await end(hunt, server, 'SIGTERM');
  hunt.noteFiles(folders.dataDir, 'after SIGTERM');
}

function spawn({ dataDir, home }: Folders): ServerProcess {
  const env = {
    HUB_LOG_LEVEL: 'debug',
    HUB_TRUSTED_PROXIES: '127.0.0.1',
    HUB_METRICS_TOKEN: METRICS_TOKEN,
    HOME: home,
    TMPDIR: home,
  };
  return spawnServer({ dataDir, env });
}

async function end(hunt: Hunt, server: ServerProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const code = await stopServer(server, signal);
  hunt.expect(`the exit code after ${signal}`, signal === 'SIGTERM' ? 0 : null, code);
  hunt.note(`the log until ${signal}`, server.stdout());
  hunt.expect(`the log until ${signal} names keys by their id`, true, server.stdout().includes('"keyId":"key_'));
  hunt.note(`stderr of the server until ${signal}`, server.stderr());
}

/** Posts a key as a text: what was sent is stored, so that this one must be found. It is of no use for anything else. */
async function plant({ hunt, server, port, hubId }: Drive): Promise<string> {
  const admin = adminOver(server.adminSocket);
  const carrier = await admin.issueKey(hubId, 'carrier');
  const { key: planted } = await admin.issueKey(hubId, 'planted');
  const connection = await openConnection(port);
  const answer = await connection.send(
    postRequest('messages', hunt.know('the carrier', carrier.key), `Oh: ${planted}`),
  );
  connection.close();
  hunt.expect('a post with a key as its text', 201, answer.status);
  hunt.note('the answer to a post with a key as its text', answer.body);
  return planted;
}

/** A copy as the snapshots before a migration are made, and as a backup would be. */
function copyWithin(hunt: Hunt, dataDir: string, { folder }: Proof): void {
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  database.query('VACUUM INTO ?').run(join(copies, 'copy.db'));
  hunt.noteFiles(copies, 'as snapshots are made');
}
