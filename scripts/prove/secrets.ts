/**
 * Promise: no secret is stored or shown in plain text, except in the one response that reveals it. Only the owner can
 * access the files, even without a umask.
 *
 * Proof: creates keys, personal tokens, sessions, links and passwords, uses and misuses each in every way, and kills and
 * stops the server. Then it searches for all of these secrets in all files, logs, responses and backups, in the output,
 * arguments and environment of `hubctl`, in process lists and in a shell history.
 *
 * Short form: `bun run prove:secrets`, which tries each way once. Long form: `--secrets 1000` continues until this many
 * secrets have been created.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Proof, proofOptions, runProof, type ServerProcess, spawnServer, stopServer } from '@hub/testkit';
import { exerciseBackup, exerciseHubctl, PROFILE_FILE, typeCommands } from './secrets/drive-hubctl.ts';
import {
  exerciseCases,
  exerciseFailures,
  exerciseRuns,
  knowPushKey,
  METRICS_TOKEN,
  plant,
  readAll,
  readMetrics,
  tryKey,
} from './secrets/drive-server.ts';
import { exerciseUsers, promoteToOwner } from './secrets/drive-users.ts';
import { openToOthers, processList, WITHOUT_BUN_CACHE, WITHOUT_UMASK } from './secrets/hubctl-process.ts';
import { type Drive, type Folders, Hunt } from './secrets/hunt.ts';

const { secrets: wanted } = proofOptions({ secrets: 0 });

/** Logs the credential of each request. */
const counterProof = {
  change: {
    file: 'apps/api/src/ops/observability/observe-requests.ts',
    find: 'address,\n      keyId',
    replace: "address,\n      credential: request.headers.get('authorization'),\n      keyId",
  },
  fails: 'no secret is found anywhere',
};

await runProof({ limitSeconds: 170 + wanted, counterProof }, async (proof) => {
  const hunt = new Hunt();
  const folders = {
    dataDir: join(proof.folder, 'data'),
    home: join(proof.folder, 'home'),
    secretStore: join(proof.folder, 'vault'),
    backups: join(proof.folder, 'backups'),
  };
  mkdirSync(folders.secretStore);
  mkdirSync(folders.home, { mode: 0o700 });
  writeFileSync(join(folders.secretStore, 'metrics-token'), METRICS_TOKEN);

  const { planted, open } = await firstLife(hunt, folders);
  await secondLife(hunt, folders);
  hunt.noteFiles(folders.home, 'at home', PROFILE_FILE);

  proof.check('every request and command had the intended outcome', hunt.astray.length === 0, hunt.astray.join('\n'));
  checkControls(proof, hunt, planted);
  open.push(...openToOthers(folders.dataDir), ...openToOthers(folders.home));
  open.push(...openToOthers(folders.secretStore).filter((name) => name.startsWith('issued')));
  proof.check('no file of the server or of hubctl is accessible to others', open.length === 0, open.join('\n'));
  const findings = hunt.findings();
  const { secrets, kinds, locations, megabytes } = hunt;
  proof.report(`${secrets} secrets (${kinds}) looked for in ${locations} locations, ${megabytes.toFixed(1)} MB`);
  proof.check(`at least ${wanted} secrets were used`, secrets >= wanted);
  proof.check('no secret is found anywhere', findings.length === 0, findings.slice(0, 50).join('\n'));
});

/** Planted secrets, which are used for nothing else. */
interface Planted {
  /** A key posted as text, which is stored. */
  text: string;
  /** A key typed as an argument, which the shell records. */
  typed: string;
}

/**
 * Checks that planted secrets are found only where they must be, which shows that the search works. Also checks that a
 * file created without a umask is detected as accessible to others.
 */
function checkControls(proof: Proof, hunt: Hunt, { text, typed }: Planted): void {
  const locations = hunt.locationsOf(text);
  // `search.db` is not in the list, since an index stores only how a word differs from the previous one.
  for (const file of ['hub.db', 'hub.db-wal', 'backup.db', 'restored/hub.db']) {
    proof.check(
      `a key posted as a text is found in ${file}`,
      locations.some((location) => location.includes(` ${file} `)),
    );
  }
  const elsewhere = locations.filter(
    (location) => !/ (restored\/)?(hub|search|backup)\.db/.test(location) && !location.includes('/export'),
  );
  proof.check('and it is in no log and no other response', elsewhere.length === 0, elsewhere.join('\n'));
  const shown = hunt.locationsOf(typed);
  for (const location of ['.bash_history', 'the processes of the shell']) {
    proof.check(
      `a key typed as an argument is found in ${location}`,
      shown.some((found) => found.includes(location)),
    );
  }
  // The terminal shows what is typed.
  const kept = shown.filter((found) => !/\.bash_history|the processes of the shell|what the shell shows/.test(found));
  proof.check('and nowhere else', kept.length === 0, kept.join('\n'));

  const folder = join(proof.folder, 'control');
  mkdirSync(folder);
  Bun.spawnSync([...WITHOUT_UMASK, 'touch', join(folder, 'control')]);
  proof.check(
    'without a umask, a control file is accessible to others',
    openToOthers(folder).includes('control (666)'),
  );
}

/** Runs every case, then kills the server. Returns the planted secrets and the files that other users may read. */
async function firstLife(hunt: Hunt, folders: Folders): Promise<{ planted: Planted; open: string[] }> {
  const server = spawn(folders);
  const { port, url } = await server.serving();
  const { admin } = server;
  const { id: hubId } = await admin.createHub('Secrets');
  const exercise: Drive = { hunt, server, port, url, hubId };
  hunt.knowText('the metrics token', METRICS_TOKEN);
  knowPushKey(hunt, folders.dataDir);
  const setupLink = await promoteToOwner(exercise);
  await exerciseCases(exercise);
  await exerciseUsers(exercise);
  await readMetrics(exercise);
  await exerciseRuns(exercise);
  await exerciseFailures(exercise);
  await exerciseHubctl({ hunt, admin, hubId, url, ...folders });
  const typed = await typeCommands(exercise, folders);
  while (hunt.secrets < wanted) {
    await exerciseCases(exercise);
    await exerciseUsers(exercise);
  }
  const text = await plant(exercise);
  await readAll(hunt, admin, hubId);
  const open = await exerciseBackup({ hunt, ...folders }, folders.backups);
  hunt.noteFiles(folders.dataDir, 'while the server runs');
  hunt.note('the list of processes at the end', processList().join('\0'));
  await end(hunt, server, 'SIGKILL', setupLink);
  hunt.noteFiles(folders.dataDir, 'after SIGKILL');
  open.push(...openToOthers(folders.dataDir));
  return { planted: { text, typed }, open };
}

/** Restarts the server after the kill, and stops it cleanly. */
async function secondLife(hunt: Hunt, folders: Folders): Promise<void> {
  const server = spawn(folders);
  const { port, url } = await server.serving();
  const { admin } = server;
  const { id: hubId } = await admin.createHub('Again');
  const { key } = await admin.issueKey({ hubId, name: 'again' });
  hunt.know('a key after the restart', key);
  await tryKey({ hunt, server, port, url, hubId }, 'a key after the restart', key, 201);
  await readAll(hunt, admin, hubId);
  await end(hunt, server, 'SIGTERM');
  hunt.noteFiles(folders.dataDir, 'after SIGTERM');
}

function spawn({ dataDir, home, secretStore }: Folders): ServerProcess {
  const env = {
    HUB_LOG_LEVEL: 'debug',
    HUB_TRUSTED_PROXIES: '127.0.0.1',
    HUB_METRICS_TOKEN_FILE: join(secretStore, 'metrics-token'),
    HOME: home,
    TMPDIR: home,
    ...WITHOUT_BUN_CACHE,
  };
  return spawnServer({ dataDir, cwd: home, env, under: WITHOUT_UMASK });
}

/** `setupLink` was printed to standard error for the admin. */
async function end(
  hunt: Hunt,
  server: ServerProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  setupLink = 'there is none',
): Promise<void> {
  const code = await stopServer(server, signal);
  hunt.expect(`the exit code after ${signal}`, signal === 'SIGTERM' ? 0 : null, code);
  hunt.note(`the log until ${signal}`, server.stdout());
  hunt.expect(`the log until ${signal} names keys by their id`, true, server.stdout().includes('"keyId":"key_'));
  hunt.noteWithout(`stderr of the server until ${signal}`, server.stderr(), setupLink);
}
