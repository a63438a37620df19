import { join } from 'node:path';
import type { EventFrame, ServerFrame } from '@hub/contract';
import {
  createUser,
  HubServer,
  idOf,
  PostgresServer,
  type Proof,
  postRequest,
  quantile,
  RequestLoad,
  rawRequest,
  type TestUser,
  type TimedResponse,
  WebSocketByHand,
} from '@hub/testkit';
import type { AttackPlan } from './attack.ts';

/** How often each kind of request is sent. A user can send 1,200 requests per minute. */
const STEP_MS = 110;
/** Until the attack has begun. */
const LEAD_MS = 300;
/** The permitted slowdown, and the milliseconds that are always permitted at the median and for 95 %. */
const [MAX_RATIO, MIN_P50_MS, MIN_P95_MS] = [5, 30, 500];
const ROUNDS = 2;
const LONG_NOTES = 60;
const KEYS = 30;
/** The server lets running requests finish for eight seconds, and then needs a moment. */
const STOP_MS = 10_000;
const MAX_GROWTH_MIB = 150;
/** The search comes last: the server is stopped while it runs. */
const ATTACKS = ['lists', 'exports', 'frames', 'stalled', 'pings', 'relay', 'signIns', 'search'] as const;

interface Setup {
  readonly server: HubServer;
  readonly hubId: string;
  readonly longHubId: string;
  readonly ada: TestUser;
  readonly keys: readonly string[];
  readonly load: RequestLoad;
  /** When the event of each post arrived. */
  readonly arrivals: ReadonlyMap<string, number>;
}

const KINDS = ['list', 'search', 'post', 'live arrival'] as const;
type Latencies = Record<(typeof KINDS)[number], number[]>;

/**
 * A user lists, searches and follows a Hub while a key posts to it; first in quiet, and then beside each attack of another
 * user (`attack.ts`): 300 expensive searches, 1,200 pages of long notes, 1,000 slow exports, frames and pings without end on
 * 20 live connections, which read nothing in another attack, payloads of 1 MB for the relay, and sign-ins.
 */
export async function proveFairness(proof: Proof, { seconds, postgres }: { seconds: number; postgres: boolean }) {
  const database = postgres ? await PostgresServer.start() : null;
  // The limits that a server has by default.
  const limits = { HUB_MAX_REQUESTS_PER_MINUTE: '1200', HUB_MAX_LIVE_CONNECTIONS: '20' };
  const env = { ...limits, ...(database && { HUB_DATABASE_URL: await database.createDatabase() }) };
  const server = await new HubServer(join(proof.folder, 'fairness'), { env }).start();
  const setup = await setUp(server);
  for (const kind of ATTACKS) await beside(proof, setup, kind, seconds);
  setup.load.close();
  await database?.dispose();
}

async function setUp(server: HubServer): Promise<Setup> {
  const { admin, port } = server;
  const [hubId = '', longHubId = ''] = await admin.createHubs(2);
  const ada = await createUser(server, { name: 'Ada', hubIds: [hubId] });
  const long = await admin.issueKeys([longHubId], Math.ceil(LONG_NOTES / 50));
  const own = await admin.issueKeys([hubId], KEYS);
  const load = new RequestLoad();
  const text = `qx ${'ab '.repeat(66_600)}`;
  const notes = Array.from({ length: LONG_NOTES }, (_, n) => {
    return { request: postRequest('notes', long[n % long.length]?.key ?? '', text) };
  });
  const messages = Array.from({ length: 100 }, (_, n) => {
    return { request: postRequest('messages', own[n % KEYS]?.key ?? '', `Hello ${n}`) };
  });
  await load.send(port, [...notes, ...messages]);

  const arrivals = new Map<string, number>();
  const socket = new WebSocketByHand(
    { port, token: ada.token },
    {
      onOpen: () => socket.send(JSON.stringify({ type: 'subscribe', hubId })),
      onText: (frame) => {
        const { type, data } = JSON.parse(frame) as ServerFrame & Pick<EventFrame, 'data'>;
        if (type === 'event' && 'id' in data) arrivals.set(data.id, performance.now());
      },
      onClose: () => {},
    },
  );
  const keys = (await admin.issueKeys([hubId], KEYS)).map(({ key }) => key);
  return { server, hubId, longHubId, ada, keys, load, arrivals };
}

/** Sends everything that the user and the key send within this time. */
async function measure({ server: { port }, hubId, ada, keys, load, arrivals }: Setup, seconds: number) {
  const start = performance.now();
  const steps = Array.from({ length: Math.ceil((seconds * 1_000) / STEP_MS) }, (_, n) => start + n * STEP_MS);
  const get = (path: string) => rawRequest({ method: 'GET', path: `/api/v1${path}`, bearer: ada.token });
  const send = (request: (n: number) => string, offset: number) =>
    load.send(
      port,
      steps.map((dueAt, n) => ({ request: request(n), dueAt: dueAt + offset * STEP_MS })),
    );
  const [lists, searches, posts] = await Promise.all([
    send(() => get(`/hubs/${hubId}/messages?limit=50`), 0),
    send(() => get('/search?q=hello'), 1 / 3),
    send((n) => postRequest('messages', keys[n % keys.length] ?? '', `Hello ${n}`), 2 / 3),
  ]);
  await Bun.sleep(100);
  const took = (responses: readonly TimedResponse[]) => responses.map((each) => each.respondedAt - each.sentAt);
  const accepted = posts.filter(({ response }) => response.status === 201);
  const latencies: Latencies = {
    list: took(lists),
    search: took(searches),
    post: took(posts),
    'live arrival': accepted.map(({ response, sentAt }) => {
      return (arrivals.get(idOf(response)) ?? Number.POSITIVE_INFINITY) - sentAt;
    }),
  };
  const failed = [...lists, ...searches, ...posts].flatMap(({ response: { status, body } }) => {
    return status < 300 ? [] : [`${status} ${body.slice(0, 200)}`];
  });
  return { latencies, failed };
}

async function beside(proof: Proof, setup: Setup, kind: AttackPlan['kind'], seconds: number): Promise<void> {
  const { server } = setup;
  const failed: string[] = [];
  let grownMiB = 0;
  let [isFast, detail] = [false, ''];
  // Other work on the machine can make everything slow for a while; an attack that succeeds does so again.
  for (let round = 1; round <= ROUNDS && !isFast; round += 1) {
    const quiet = await measure(setup, seconds / 2);
    const mibBefore = server.residentMiB;
    const attack = await startAttack(setup, kind, round);
    await Bun.sleep(LEAD_MS);
    const attacked = await measure(setup, seconds);
    grownMiB = Math.max(grownMiB, server.residentMiB - mibBefore);
    failed.push(...quiet.failed, ...attacked.failed);
    isFast = KINDS.every((each) => isAsFast(attacked.latencies[each], quiet.latencies[each]));
    detail = `${shown(attacked.latencies)} ms (p50 / p95), and ${shown(quiet.latencies)} without`;
    if (kind === ATTACKS.at(-1) && (isFast || round === ROUNDS)) await stopBeside(proof, server, kind);
    proof.report(`${kind}: the attacker got ${JSON.stringify(await attack.end())}`);
  }
  proof.check(`everything of another user stays fast beside ${kind}`, isFast, detail);
  proof.none(`no request of another user and no post of a key fails beside ${kind}`, failed);
  const claim = `memory grows by less than ${MAX_GROWTH_MIB} MiB beside ${kind}`;
  proof.check(claim, grownMiB < MAX_GROWTH_MIB, `${grownMiB.toFixed(0)} MiB`);
}

/** Starts an attack by a user of its own. `end` returns how often that user got each status. */
async function startAttack({ server, longHubId: hubId }: Setup, kind: AttackPlan['kind'], round: number) {
  const attacker = await createUser(server, { name: `Attacker ${kind} ${round}`, hubIds: [hubId] });
  const { token, cookie, email, password } = attacker;
  const { key } = await server.admin.issueKey({ hubId });
  let statuses: Record<string, number> = {};
  const script = join(import.meta.dir, 'attack.ts');
  // With the least priority, as if it ran on another machine.
  const child = Bun.spawn(['nice', '-n', '19', process.execPath, '--no-env-file', script], {
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '2000' },
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: typeof statuses) => {
      statuses = message;
    },
  });
  const endWithUs = (): void => child.kill('SIGKILL');
  process.on('exit', endWithUs);
  child.send({ kind, port: server.port, hubId, token, key, cookie, email, password } satisfies AttackPlan);
  return {
    end: async () => {
      endWithUs();
      await child.exited;
      process.off('exit', endWithUs);
      return statuses;
    },
  };
}

async function stopBeside(proof: Proof, server: HubServer, kind: AttackPlan['kind']): Promise<void> {
  const start = performance.now();
  const code = await server.stop();
  const ms = performance.now() - start;
  proof.check(`the server stops in time beside ${kind}`, code === 0 && ms < STOP_MS, `${Math.round(ms)} ms`);
}

function isAsFast(attacked: readonly number[], quiet: readonly number[]): boolean {
  const isWithin = (share: number, atLeastMs: number) =>
    quantile(attacked, share) <= Math.max(atLeastMs, MAX_RATIO * quantile(quiet, share));
  return isWithin(0.5, MIN_P50_MS) && isWithin(0.95, MIN_P95_MS);
}

function shown(latencies: Latencies): string {
  return KINDS.map((kind) => {
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(latencies[kind], share).toFixed(0));
    return `${kind} ${p50} / ${p95}`;
  }).join(', ');
}
