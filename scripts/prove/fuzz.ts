/**
 * Promise: no input makes the server fail, and no request succeeds that the rules reject. Malformed HTTP has no effect, nor
 * has anything behind it on the connection (request smuggling). Every post acknowledged with 201 is stored as it was sent.
 *
 * Proof: sends posts with mutated bodies. The validator of bodies, called alone, decides which may succeed. Then every kind of malformed request (`fuzz/malformed.ts`), each followed by a valid one from another sender.
 * `apps/api/test/openapi-agreement.property.test.ts` does the same for every operation, with requests generated from the
 * OpenAPI document.
 *
 * Long form: 100,000 mutations, or `--mutations`. `--seed` reproduces an earlier run; with `--only`, just one of its
 * mutations.
 */
import { join } from 'node:path';
import type { Item } from '@hub/contract';
import { HubServer, POST_KINDS, type Proof, proofOptions, requestLoad, runProof, seeded } from '@hub/testkit';
import { proveMalformed } from './fuzz/malformed.ts';
import { type Acknowledged, differenceFrom, fuzzPost } from './fuzz/posts.ts';

const options = proofOptions(
  { mutations: 4_000, seed: 0, only: -1 },
  { long: { mutations: 100_000 }, inCounterProof: { mutations: 500 } },
);
const { mutations, only } = options;
const seed = options.seed || Math.floor(Math.random() * 2 ** 31);

const CONCURRENCY = 8;
const BESIDE_MS = 100;
const BESIDE = 'beside the fuzz';
/** A key can be used 60 times per minute. */
const USES_PER_KEY = 55;
/** The permitted growth after the first quarter of the mutations, for bounded caches and garbage not yet collected. */
const MAX_MIB = 96;

const counterProofs = [
  // Accepts requests with two hosts.
  {
    change: {
      file: 'apps/api/src/http/announce-connection.ts',
      find: 'if (host !== null && request !== received) {',
      replace: "if (host === '') {",
    },
    fails: 'no malformed or rejected request is stored',
    part: 'malformed',
  },
  // Accepts unknown fields.
  {
    change: {
      file: 'apps/api/src/http/validate.ts',
      find: 'Type.Object(Object.fromEntries(members), { additionalProperties: false })',
      replace: 'Type.Object(Object.fromEntries(members))',
    },
    fails: 'no invalid post is accepted',
    part: 'mutations',
  },
] as const;

await runProof({ limitSeconds: 120 + mutations / 100, counterProofs }, async (proof) => {
  await proof.part('malformed', async () => {
    const server = await new HubServer(join(proof.folder, 'malformed')).start();
    await proveMalformed(proof, server);
    await server.finish(proof);
  });
  await proof.part('mutations', () => proveMutations(proof));
});

async function proveMutations(proof: Proof): Promise<void> {
  proof.report(`${mutations} mutations, --seed ${seed}`);
  const server = await new HubServer(join(proof.folder, 'mutations')).start();
  const { url, port } = server;
  const { id: hubId } = await server.admin.createHub('Posts');
  const problems: string[] = [];
  const statuses: number[] = [];
  const acknowledged: Acknowledged = new Map();
  let taken = 0;
  let key: Promise<{ key: string }> | undefined;
  const takeKey = async (): Promise<string> => {
    if (taken % USES_PER_KEY === 0) key = server.admin.issueKey({ hubId, name: `key ${taken}` });
    taken += 1;
    return (await key)?.key ?? '';
  };
  const memory: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    const load = requestLoad();
    for (let index = next++; index < mutations; index = next++) {
      if (only >= 0 && index !== only) continue;
      // Each mutation has its own random numbers, so that it can be repeated on its own.
      const random = seeded(seed + index * 7_919);
      statuses.push(await fuzzPost(random, index, { load, port, takeKey, problems, acknowledged }));
      if ((index + 1) % Math.ceil(mutations / 4) === 0) memory.push(server.residentMiB);
    }
    load.close();
  };
  let isOver = false;
  const rejected: string[] = [];
  const postBeside = async (): Promise<void> => {
    for (; !isOver; await Bun.sleep(BESIDE_MS)) {
      const headers = { authorization: `Bearer ${await takeKey()}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ text: BESIDE }) };
      const response = await fetch(`${url}/api/public/v1/messages`, init);
      if (response.status !== 201) rejected.push(`${response.status} ${await response.text()}`);
    }
  };
  const beside = postBeside();
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  isOver = true;
  await beside;

  const byStatus = Object.entries(Object.groupBy(statuses, String));
  proof.report(byStatus.map(([status, each = []]) => `${each.length} × ${status}`).join(', '));
  proof.none('every response has the right form, and no invalid post is accepted', problems);
  proof.none('normal posts sent meanwhile return 201', rejected);
  const stored = (
    await Promise.all(POST_KINDS.map((kind) => server.admin.all(`GET /hubs/{hubId}/${kind}`, { hubId })))
  ).flat();
  if (only < 0) checkStored(proof, stored, acknowledged);
  const growth = (memory.at(-1) ?? 0) - (memory[0] ?? 0);
  proof.check(`memory grows by less than ${MAX_MIB} MiB`, growth < MAX_MIB, `${growth.toFixed(0)} MiB`);
  await server.finish(proof);
}

/** Checks that the Hub has exactly the posts that were acknowledged with 201, as they were sent. */
function checkStored(proof: Proof, stored: readonly Item[], acknowledged: Acknowledged): void {
  const items = new Map(stored.map((item) => [item.id, item]));
  const lost = [...acknowledged.keys()].filter((id) => !items.has(id));
  proof.none('every post that returned 201 is stored', lost, `${acknowledged.size} posts`);
  const strange = stored.filter((item) => !acknowledged.has(item.id) && !('text' in item && item.text === BESIDE));
  proof.none(
    'nothing else is stored',
    strange.map((item) => JSON.stringify(item).slice(0, 200)),
  );
  const changed = [...acknowledged].flatMap(([id, { kind, fields }]) => {
    const item = items.get(id);
    const problem = item ? differenceFrom(fields, kind, item) : null;
    return problem ? [`${id}: ${problem}`] : [];
  });
  proof.none('each is stored as sent', changed);
}
