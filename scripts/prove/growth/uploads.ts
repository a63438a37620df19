import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HubServer, quantile, residentMiB, until } from '@hub/testkit';
import { createLedger, startPacedLoad } from '../kit/post-load.ts';
import type { Proof } from '../kit/proof.ts';

const MIB = 2 ** 20;
const BYTES = 25 * MIB;
/** The memory that uploads may add: one, and many at a time. */
const MAX_ADDED_MIB = { one: 4, many: 64 } as const;
const SAMPLE_MS = 5;
/** Uploads until the memory of the runtime is as large as it gets; the last ones are timed. */
const WARM_UPS = 6;
/** 50 uploads that share a line of a gigabit per second, as a team on one network does. */
const LINE = { uploads: 50, bytes: 5 * MIB, bytesPerSecond: 100e6 } as const;
/** The part of the speed of one upload that they share at most. A slow machine has no time for more beside a gigabit. */
const MAX_PART = 1 / 6;
const [POSTS_PER_SECOND, POST_KEYS, POST_MS] = [50, 80, 2_000];
/** How much later the slowest of a hundred posts may be beside these uploads: hardly to be felt. */
const MAX_LATER_MS = 40;
/** Other work on the machine can only make an attempt slower. */
const ATTEMPTS = 6;

/** Repeats uploads at a limited speed, in a process of its own, until it is killed. Prints a line after each. */
const SENDERS = `
  const [port, bytes, perSecond, ...keys] = process.argv.slice(1);
  const piece = Buffer.alloc(65_536, 'text ');
  const everyMs = (piece.length / Number(perSecond)) * 1_000 * keys.length;
  const upload = (key) => new Promise((done) => {
    let left = Number(bytes);
    const head = 'POST /api/public/v1/files?name=a.bin HTTP/1.1\\r\\nHost: hub\\r\\nConnection: close\\r\\n'
      + 'Authorization: Bearer ' + key + '\\r\\nContent-Length: ' + bytes + '\\r\\n\\r\\n';
    const socket = require('node:net').connect(Number(port), '127.0.0.1', () => socket.write(head));
    const timer = setInterval(() => {
      if (left <= 0 || socket.writableNeedDrain) return;
      socket.write(piece.subarray(0, left));
      left -= piece.length;
    }, everyMs);
    socket.on('data', (data) => console.log(data.toString().slice(9, 12)));
    socket.on('error', () => {});
    socket.on('close', () => { clearInterval(timer); done(); });
  });
  for (const key of keys) void (async () => { for (;;) await upload(key); })();
`;

/** Measures the memory of the server during uploads of the largest files, and how late posts are beside others. */
export async function proveUploads(proof: Proof, atOnce: number): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'uploads')).start();
  const { id: hubId } = await server.admin.createHub('Uploads');
  const keys = await server.admin.issueKeys([hubId], 2 + Math.ceil((WARM_UPS + atOnce) / 50));
  const senderKeys = await server.admin.issueKeys([hubId], LINE.uploads);
  let requests = 0;
  const file = randomBytes(BYTES);
  const upload = async () => {
    // A key can send 32 requests with large bodies at the same time.
    const key = keys[requests++ % keys.length]?.key ?? '';
    const address = `${server.url}/api/public/v1/files?name=a.bin`;
    const response = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: file });
    if (response.status !== 201) throw new Error(`An upload got ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  const many = () => Promise.all(Array.from({ length: atOnce }, upload));

  const uploadMs: number[] = [];
  for (let n = 0; n < WARM_UPS; n += 1) uploadMs.push(await msOf(upload));

  // Memory that the runtime frees late can only add to it.
  let one = await addedMiB(server.pid, upload);
  for (let n = 0; n < 5 && one > MAX_ADDED_MIB.one; n += 1) one = Math.min(one, await addedMiB(server.pid, upload));
  proof.check('an upload of 25 MiB adds at most 4 MiB of memory', one <= MAX_ADDED_MIB.one, `${one.toFixed(1)} MiB`);
  const added = await addedMiB(server.pid, many);
  const claim = `${atOnce} uploads of 25 MiB at a time add at most 64 MiB of memory`;
  proof.check(claim, added <= MAX_ADDED_MIB.many, `${added.toFixed(1)} MiB`);

  const ledger = createLedger(await server.admin.issueKeys([hubId], POST_KEYS));
  const load = startPacedLoad(ledger, server.port, POSTS_PER_SECOND);
  const posts = async () => quantile(await load.during(() => Bun.sleep(POST_MS)), 0.99);
  // Until the server is as fast as it gets.
  await posts();
  const quietMs = await posts();
  const bytesPerSecond = Math.min(LINE.bytesPerSecond, (MAX_PART * BYTES) / (Math.min(...uploadMs) / 1_000));
  const limits = [server.port, LINE.bytes, bytesPerSecond].map(String);
  const argv = [process.execPath, '-e', SENDERS, ...limits, ...senderKeys.map(({ key }) => key)];
  const senders = Bun.spawn(argv, { stdout: 'pipe' });
  // They would go on without a server.
  process.on('exit', () => senders.kill());
  const statuses: string[] = [];
  const reading = (async () => {
    for await (const text of senders.stdout.pipeThrough(new TextDecoderStream()))
      statuses.push(...text.split('\n').filter(Boolean));
  })();
  // Their start takes processor time as well.
  await until(30_000, () => statuses.length > 0);
  let besideMs = await posts();
  for (let n = 1; n < ATTEMPTS && besideMs > quietMs + MAX_LATER_MS; n += 1)
    besideMs = Math.min(besideMs, await posts());
  senders.kill();
  await Promise.all([reading, load.stop()]);
  proof.none('no post was rejected', [...ledger.unexpected, ...ledger.rejected]);
  const times = `p99 ${besideMs.toFixed(1)} ms, ${quietMs.toFixed(1)} without`;
  proof.check(
    `posts beside ${LINE.uploads} uploads at ${Math.round(bytesPerSecond / 1e6)} MB/s in all are at most ${MAX_LATER_MS} ms slower (p99)`,
    besideMs <= quietMs + MAX_LATER_MS,
    times,
  );
  const areStored = statuses.length > 0 && statuses.every((status) => status === '201');
  proof.check('these uploads are stored', areStored, `${statuses.length} of them`);
  await server.finish(proof);
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns by how much the memory of a process rises while `work` runs. */
async function addedMiB(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentMiB(pid);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMiB(pid));
  }, SAMPLE_MS);
  await work();
  clearInterval(sampling);
  return Math.max(most, residentMiB(pid)) - before;
}
