/**
 * Promise: no secret is stored or shown in plain text, except in the one response that reveals it. Only the owner can
 * access the files, even without a umask.
 *
 * Proof: creates keys, personal tokens, sessions, links and passwords, uses and misuses each in every way
 * (`secrets/uses.ts`), and kills and stops the server. Then it searches for all of these secrets in all files, logs,
 * responses and backups, in the output of `hubctl`, and in the list of processes.
 */
import { Database } from 'bun:sqlite';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, spawnServer, stopServer } from '@hub/testkit';
import { type Proof, runProof } from './kit/proof.ts';
import { casesOn } from './secrets/cases.ts';
import {
  backUpAndRestore,
  exerciseHubctl,
  PROFILE_FILE,
  processList,
  WITHOUT_BUN_CACHE,
  WITHOUT_UMASK,
} from './secrets/hubctl.ts';
import { Hunt, openToOthers } from './secrets/hunt.ts';

const METRICS_TOKEN = 'Qm7vT2xLs9cRw4KzEo1HnY6bJd8PfGa3Ui';

const counterProofs = [
  // Logs the credential of each request.
  {
    file: 'apps/api/src/ops/observability/observe-requests.ts',
    find: 'address,\n      keyId',
    replace: "address,\n      credential: request.headers.get('authorization'),\n      keyId",
    fails: 'no secret is found anywhere',
  },
] as const;

type Folders = Readonly<Record<'dataDir' | 'home' | 'secretStore' | 'backups', string>>;

await runProof({ limitSeconds: 170, counterProofs }, async (proof) => {
  const hunt = new Hunt();
  const at = (name: string): string => join(proof.folder, name);
  const folders: Folders = { dataDir: at('data'), home: at('home'), secretStore: at('vault'), backups: at('backups') };
  for (const folder of [folders.secretStore, folders.home, folders.backups]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folders.secretStore, 'metrics-token'), METRICS_TOKEN);
  const planted = await runServers(proof, hunt, folders);
  hunt.noteFiles(folders.home, 'at home', PROFILE_FILE);
  proof.none('every request and command had the intended outcome', hunt.astray);
  checkControls(proof, hunt, planted);
  const open = [folders.dataDir, folders.home, folders.backups].flatMap(openToOthers);
  open.push(...openToOthers(folders.secretStore).filter((name) => name.startsWith('issued')));
  proof.none('no file of the server or of hubctl is accessible to others', open);
  proof.report(hunt.summary);
  const findings = hunt.findings();
  for (const finding of findings.slice(0, 50)) proof.report(finding);
  proof.check('no secret is found anywhere', findings.length === 0, `${findings.length} found`);
});

/**
 * Checks that a planted secret is found only where it must be, which shows that the search works, and that a file
 * created without a umask is detected as accessible to others.
 */
function checkControls(proof: Proof, hunt: Hunt, planted: string): void {
  const stored = hunt.locationsOf(planted);
  // `search.db` is not in the list, since an index stores only how a word differs from the previous one.
  const files = ['hub.db', 'hub.db-wal', 'backup.db', 'restored/hub.db'];
  const missing = files.filter((file) => !stored.some((location) => location.includes(` ${file} `)));
  proof.none(`a key posted as a text is found in ${files.join(', ')}`, missing);
  const isExpected = (location: string) => / (restored\/)?(hub|search|backup)\.db|\/export/.test(location);
  const elsewhere = stored.filter((location) => !isExpected(location));
  proof.none('and it is in no log and no other response', elsewhere);
  const control = join(proof.folder, 'control');
  Bun.spawnSync([...WITHOUT_UMASK, 'touch', control]);
  const isOpen = openToOthers(proof.folder).includes('control (666)');
  proof.check('without a umask, a control file is accessible to others', isOpen);
}

/** Runs every case and kills the server, then starts another one and stops it. Returns a key that was posted as a text. */
async function runServers(proof: Proof, hunt: Hunt, folders: Folders): Promise<string> {
  const env = {
    HUB_LOG_LEVEL: 'debug',
    HUB_TRUSTED_PROXIES: '127.0.0.1',
    HUB_METRICS_TOKEN_FILE: join(folders.secretStore, 'metrics-token'),
    HOME: folders.home,
    TMPDIR: folders.home,
    ...WITHOUT_BUN_CACHE,
  };
  const { dataDir } = folders;
  const spawn = () => spawnServer({ dataDir, cwd: folders.home, env, under: WITHOUT_UMASK });
  const server = spawn();
  const { port, url } = await server.serving();
  const { admin } = server;
  const { id: hubId } = await admin.createHub('Secrets');
  hunt.knowText('the metrics token', METRICS_TOKEN);
  knowPushKey(hunt, dataDir);
  const cases = casesOn(hunt, server, { port, hubId });
  const printed = /\S+\/setup#(hub_lnk_\w+)/.exec(server.stderr())?.[1] ?? '';
  const setupLink = hunt.know('the set-up link', printed);
  await cases.redeem('the set-up link', setupLink, { email: 'owner@example.org', name: 'Olga' });
  await cases.tryAll();
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  hunt.expect('GET /metrics', 200, metrics.status);
  hunt.note('the metrics', await metrics.text());
  const terminal = { hunt, admin, hubId, url, ...folders, newPassword: cases.newPassword };
  // The counter-proof changes the server alone, so it does without.
  if (!proof.isCounterProof) await exerciseHubctl(terminal);
  const planted = await cases.plant();
  await readAll(hunt, server, hubId);
  await backUpAndRestore(terminal, folders.backups);
  hunt.noteFiles(dataDir, 'while the server runs');
  hunt.note('the list of processes at the end', processList().join('\0'));
  const openFiles = openToOthers(dataDir);
  await end(hunt, server, 'SIGKILL', setupLink);
  proof.none('no file of the running server is accessible to others', openFiles);

  const next = spawn();
  const serving = await next.serving();
  const again = casesOn(hunt, next, { port: serving.port, hubId });
  const authorization = `Bearer ${await again.newKey('a key after the restart')}`;
  await again.askAndNote('a key after the restart', 201, { authorization });
  await readAll(hunt, next, hubId);
  await end(hunt, next, 'SIGTERM');
  return planted;
}

/** `setupLink` was printed to standard error for the admin. */
async function end(hunt: Hunt, server: ServerProcess, signal: 'SIGKILL' | 'SIGTERM', setupLink = 'there is none') {
  hunt.expect(`the exit code after ${signal}`, signal === 'SIGTERM' ? 0 : null, await stopServer(server, signal));
  hunt.note(`the log until ${signal}`, server.stdout());
  hunt.expect(`the log until ${signal} names keys by their id`, true, server.stdout().includes('"keyId":"key_'));
  hunt.noteWithout(`stderr of the server until ${signal}`, server.stderr(), setupLink);
  hunt.noteFiles(server.dataDir, `after ${signal}`);
}

/** Reads everything that the server shows to its admin. */
async function readAll(hunt: Hunt, { admin }: ServerProcess, hubId: string): Promise<void> {
  const keys = await admin.all('GET /keys');
  hunt.note('the list of keys', JSON.stringify(keys));
  const lists = ['/users?limit=100', '/invitations?limit=100', '/hubs', '/audit?limit=100', `/keys?hubId=${hubId}`];
  for (const path of [...lists, `/keys/${keys[0]?.id}`, `/hubs/${hubId}/export`, '/status', '']) {
    const response = await admin.raw('GET', path);
    hunt.expect(`GET ${path}`, 200, response.status);
    hunt.note(`the response to GET ${path}`, await response.text());
  }
}

/** Only the database may contain the push key, as raw bytes; it may not appear anywhere in another form. */
function knowPushKey(hunt: Hunt, dataDir: string): void {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  const row = database.query<{ key: Uint8Array }, []>('SELECT private_key AS key FROM push_identity').get();
  hunt.expect('the server has a key for push services', 32, row?.key.length);
  for (const form of ['base64url', 'base64', 'hex'] as const)
    hunt.knowText(`the key for push services in ${form}`, Buffer.from(row?.key ?? '').toString(form));
}
