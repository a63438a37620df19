/**
 * Promise: an export of a Hub that is taken while programs post contains every item that was acknowledged before the
 * export was requested, exactly once, and ends.
 *
 * Proof: programs post messages, notes and to-dos to a Hub that already has some, while it is exported again and again.
 * The items of each export are compared with the posts: those acknowledged before the request must be in it once. It
 * ends because nothing is added to it once it has begun, so posts sent after that must not be in it.
 *
 * Short form: `bun run prove:export`. Long form: `--stored 50000 --rate 500 --seconds 120`, where `--stored` is the number
 * of posts before the first export, and `--rate` is posts per second.
 */
import { join } from 'node:path';
import type { HubExport } from '@hub/contract';
import {
  type Admin,
  HubServer,
  idOf,
  POST_KINDS,
  type PostKind,
  postRequest,
  proofOptions,
  RequestLoad,
  runProof,
  type TimedResponse,
} from '@hub/testkit';

const { stored, rate, seconds } = proofOptions({ stored: 1_500, rate: 300, seconds: 5 });

/** Below the limit of 60 per minute, so that no key is blocked, however fast the posts are sent. */
const POSTS_PER_KEY = 50;
/** The first posts are this long, so that the server ends some pages of an export before they have 100 items. */
const [LONG_POSTS, LONG] = [300, 'x'.repeat(10_000)];

/** Takes a page that was cut short, since its items are long, for the last one. */
const counterProof = {
  change: {
    file: 'apps/api/src/workspace/exports/export-hub.ts',
    find: 'if (next === null || !last',
    replace: 'if (next === null || items.length < LIMITS.pageItems || !last',
  },
  fails: 'contains every item acknowledged before it, once',
};

await runProof({ limitSeconds: 60 + seconds * 2 + stored / 50, counterProof }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const [hubId = ''] = await server.admin.createHubs(1);
  const total = stored + rate * seconds;
  const keys = await server.admin.issueKeys([hubId], Math.ceil(total / POSTS_PER_KEY));
  const requests = Array.from({ length: total }, (_, n) => {
    const kind = POST_KINDS[n % POST_KINDS.length] as PostKind;
    // A to-do is posted as a title, which cannot be long.
    const text = n < LONG_POSTS && kind !== 'todos' ? `Post ${n} ${LONG}` : `Post ${n}`;
    return { request: postRequest(kind, keys[n % keys.length]?.key ?? '', text) };
  });

  const load = new RequestLoad();
  const posts = await load.send(server.port, requests.slice(0, stored));
  const start = performance.now();
  const paced = requests.slice(stored).map((each, n) => ({ ...each, dueAt: start + (n / rate) * 1_000 }));
  let arePosting = true;
  const sending = load.send(server.port, paced).finally(() => {
    arePosting = false;
  });
  const exports: TakenExport[] = [];
  while (arePosting) exports.push(await takeExport(server.admin, hubId));
  posts.push(...(await sending));
  load.close();

  const rejected = posts.flatMap(({ response: { status, body } }) => (status === 201 ? [] : [`${status} ${body}`]));
  proof.none('every post is acknowledged', rejected, `${total} posts`);
  const items = posts
    .filter(({ response }) => response.status === 201)
    .map(({ response, ...times }) => ({ ...times, id: idOf(response) }));
  const counts = exports.map((taken) => compare(taken, items));
  const slowest = Math.max(...exports.map(({ requestedAt, endedAt }) => endedAt - requestedAt)) / 1_000;
  proof.report(`${exports.length} exports, the slowest in ${slowest.toFixed(2)} s`);
  const wrong = counts.flatMap(({ lost, repeated }, n) =>
    lost + repeated === 0 ? [] : [`export ${n + 1}: ${lost} lost, ${repeated} repeated`],
  );
  proof.none('each export contains every item acknowledged before it, once', wrong);
  // Only the last one can have ended after the last post.
  proof.check('exports end while programs post', exports.length > 1);
  const late = counts.flatMap((count, n) => (count.late === 0 ? [] : [`export ${n + 1}: ${count.late} items`]));
  proof.none('no export contains a post that was sent after it had begun', late);
});

/** A post that got a 201. */
type AcknowledgedItem = Omit<TimedResponse, 'response'> & { readonly id: string };

type TakenExport = Awaited<ReturnType<typeof takeExport>>;

/** Takes an export; throws if it is not complete. */
async function takeExport(admin: Admin, hubId: string) {
  const requestedAt = performance.now();
  const response = await admin.raw('GET', `/hubs/${hubId}/export`);
  // The first part of the response has arrived.
  const begunAt = performance.now();
  const document = (await response.json()) as HubExport;
  const ids = POST_KINDS.flatMap((kind) => document[kind].map(({ id }) => id));
  return { requestedAt, begunAt, endedAt: performance.now(), ids };
}

/** Counts the items that an export has lost, repeats, or contains although they were sent after it had begun. */
function compare({ requestedAt, begunAt, ids }: TakenExport, items: readonly AcknowledgedItem[]) {
  const exported = new Set(ids);
  return {
    lost: items.filter(({ id, respondedAt }) => respondedAt < requestedAt && !exported.has(id)).length,
    repeated: ids.length - exported.size,
    late: items.filter(({ id, sentAt }) => sentAt > begunAt && exported.has(id)).length,
  };
}
