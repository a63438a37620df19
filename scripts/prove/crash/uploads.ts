import { Database } from 'bun:sqlite';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, hubctl, rawRequest, sendOnce, until } from '@hub/testkit';
import type { Proof } from '../kit/proof.ts';

/** In bytes. The larger ones take several reads, and are cut in between. */
const SIZES = [1_000, 100_000, 1_000_000, 5_000_000];
/** Sent at this rate, the largest file takes a quarter of a second. */
const RATE = '20M';
const MAX_LIFE_MS = 350;
/** A key can make 60 requests a minute. Each round has an upload of each size, and a post. */
const ROUNDS_PER_KEY = 10;
const SETTLE_MS = 20_000;

const CLAIMS = {
  whole: 'every acknowledged file is on disk as it was sent',
  nothing: 'an upload that was cut left nothing behind',
  counted: 'the space that files take is counted exactly',
} as const;

const RULES = Object.keys(CLAIMS) as (keyof typeof CLAIMS)[];
type Problems = Record<keyof typeof CLAIMS, string[]>;

/**
 * Kills the senders of uploads, and the server in turn, at random moments, and compares the files on disk with the rows
 * of the database and with what was acknowledged. The sum of it is restored from a backup.
 */
export async function proveUploads(proof: Proof, rounds: number): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'uploads')).start();
  const { id: hubId } = await server.admin.createHub('Uploads');
  const keys = await server.admin.issueKeys([hubId], Math.ceil(rounds / ROUNDS_PER_KEY));
  const sent = SIZES.map((size) => {
    const [path, bytes] = [join(proof.folder, `${size}.bin`), randomBytes(size)];
    writeFileSync(path, bytes);
    return { path, sha256: hashOf(bytes) };
  });
  const acknowledged = new Map<string, string>();
  const problems: Problems = { whole: [], nothing: [], counted: [] };
  let cut = 0;
  for (let round = 0; round < rounds; round += 1) {
    const key = keys[round % keys.length]?.key ?? '';
    const senders = sent.map((file) => ({ ...file, ...upload(server.url, key, file.path) }));
    const kill = async (victim: { kill(signal: 'SIGKILL'): unknown }): Promise<void> => {
      await Bun.sleep(Math.random() * MAX_LIFE_MS);
      await victim.kill('SIGKILL');
    };
    await Promise.all(round % 2 === 0 ? [kill(server)] : senders.map(({ child }) => kill(child)));
    const ids = await Promise.all(senders.map(({ id }) => id));
    for (const [index, { sha256 }] of senders.entries()) {
      const id = ids[index];
      if (id) acknowledged.set(id, sha256);
      else cut += 1;
    }
    if (round % 2 === 0) await server.start();
    await attach(server.url, key, ids);
    const compared = () => compare(server.dataDir, acknowledged);
    // A request of a killed sender may still be on its way.
    await until(SETTLE_MS, () => Object.values(compared()).flat().length === 0);
    const found = compared();
    for (const rule of RULES) problems[rule].push(...found[rule]);
    if (RULES.some((rule) => problems[rule].length > 0)) break;
  }
  for (const rule of RULES) proof.none(CLAIMS[rule], problems[rule]);
  proof.report(`${rounds} kills: ${acknowledged.size} files acknowledged, ${cut} uploads cut`);
  proof.check('there were uploads of both kinds', cut > 0 && acknowledged.size > 0);

  const backup = join(proof.folder, 'uploads.db');
  await hubctl(server.dataDir, ['backup', backup]);
  const restored = join(proof.folder, 'restored');
  await hubctl(restored, ['restore', backup]);
  const lost = [...acknowledged].filter(([id, sha256]) => hashOnDisk(restored, id) !== sha256).map(([id]) => id);
  proof.none('every acknowledged file is whole after a restore', lost);
  await server.finish(proof);
}

/** Sends a file with curl. `id`: that of the response, if there was a 201. */
function upload(url: string, key: string, path: string) {
  const address = `${url}/api/public/v1/files?name=blob`;
  const headers = ['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/x-blob'];
  const child = Bun.spawn(['curl', '-sS', '--limit-rate', RATE, '--data-binary', `@${path}`, ...headers, address], {
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const id = child.stdout.text().then((text) => /"id":"(file_\w+)"/.exec(text)?.[1] ?? null);
  return { child, id };
}

/** Attaches what was acknowledged, so that it can be restored. */
async function attach(url: string, key: string, ids: readonly (string | null)[]): Promise<void> {
  const files = ids.filter((id) => id !== null);
  if (files.length === 0) return;
  const request = rawRequest({ path: '/api/public/v1/messages', bearer: key, body: JSON.stringify({ files }) });
  const { status, body } = await sendOnce(url, request);
  if (status !== 201) throw new Error(`The files were not attached: ${body}`);
}

function compare(dataDir: string, acknowledged: ReadonlyMap<string, string>): Problems {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  // Both queries see the same state.
  database.run('BEGIN');
  type Row = { id: string; size: number; sha256: string };
  const rows = database.query<Row, []>('SELECT id, size, sha256 FROM files').all();
  const used = database.query<{ bytes: number }, []>('SELECT file_bytes AS bytes FROM workspace').get()?.bytes;
  const known = new Map(rows.map((row) => [row.id, row]));
  const sum = rows.reduce((bytes, { size }) => bytes + size, 0);
  return {
    whole: [
      ...[...acknowledged].filter(([id, sha256]) => known.get(id)?.sha256 !== sha256).map(([id]) => `${id} has no row`),
      ...rows.filter(({ id, sha256 }) => hashOnDisk(dataDir, id) !== sha256).map(({ id }) => `${id} on disk`),
    ],
    nothing: [...idsOnDisk(dataDir).filter((id) => !known.has(id)), ...unsettled(dataDir)],
    counted: used === sum ? [] : [`${used} instead of ${sum}`],
  };
}

const folderOf = (dataDir: string): string => join(dataDir, 'files');
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function hashOnDisk(dataDir: string, id: string): string | null {
  const path = join(folderOf(dataDir), id.slice(-2), id);
  return existsSync(path) ? hashOf(readFileSync(path)) : null;
}

/** Returns the marks of uploads that are not over. */
function unsettled(dataDir: string): string[] {
  const folder = join(folderOf(dataDir), 'unsettled');
  return existsSync(folder) ? readdirSync(folder) : [];
}

function idsOnDisk(dataDir: string): string[] {
  if (!existsSync(folderOf(dataDir))) return [];
  const folders = readdirSync(folderOf(dataDir)).filter((name) => name !== 'unsettled');
  return folders.flatMap((name) => readdirSync(join(folderOf(dataDir), name)));
}
