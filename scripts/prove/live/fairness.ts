import { join } from 'node:path';
import {
  HubServer,
  type Proof,
  pace,
  postRequest,
  quantile,
  RequestLoad,
  rawRequest,
  userWithToken,
} from '@hub/testkit';

/** The timed requests of each kind: one every 100 ms. */
const [TIMED, PER_SECOND] = [40, 10];
/** The permitted slowdown, and the milliseconds that are always permitted at the median and for 95 %. */
const [MAX_RATIO, MIN_P50_MS, MIN_P95_MS] = [5, 30, 500];
const [LONG_NOTES, KEYS] = [60, 5];
/** The server lets running requests finish for eight seconds, and then needs a moment. */
const STOP_MS = 10_000;
const MAX_GROWTH_MIB = 150;
/** The connections of one user for each kind of request. The search comes last: the server is stopped while it runs. */
const ATTACKS = { lists: 600, search: 300 } as const;

/**
 * A user lists and searches while keys post; first in quiet, and then beside another user who requests long pages, or
 * the most expensive searches, over as many connections as the server takes.
 */
export async function proveFairness(proof: Proof): Promise<void> {
  // The limit that a server has by default.
  const server = await new HubServer(join(proof.folder, 'fairness'), {
    env: { HUB_MAX_REQUESTS_PER_MINUTE: '1200' },
  }).start();
  const { admin, port } = server;
  const [hubId = '', longHubId = ''] = await admin.createHubs(2);
  const ada = await userWithToken(server, { name: 'Ada', hubIds: [hubId] });
  const load = new RequestLoad();
  const longKeys = await admin.issueKeys([longHubId], 2);
  const text = `qx ${'ab '.repeat(66_600)}`;
  await load.send(
    port,
    Array.from({ length: LONG_NOTES }, (_, n) => postRequest('notes', longKeys[n % 2]?.key ?? '', text)),
  );
  const paths = [`/hubs/${hubId}/messages?limit=50`, '/search?q=hello'];
  const requests = paths.map((path) => rawRequest({ method: 'GET', path: `/api/v1${path}`, bearer: ada.token }));

  /** Returns the milliseconds that each list, search and post took, and the errors. */
  const measure = async () => {
    const keys = await admin.issueKeys([hubId], KEYS);
    const [ms, failed]: [number[][], string[]] = [[[], [], []], []];
    const turn = pace(PER_SECOND);
    const pending: Promise<void>[] = [];
    for (let n = 0; n < TIMED; n += 1) {
      await turn();
      const post = postRequest('messages', keys[n % KEYS]?.key ?? '', `Hello ${n}`);
      for (const [at, request] of [...requests, post].entries()) {
        const timed = load.send(port, [request]).then(([each]) => {
          if (!each) return;
          ms[at]?.push(each.respondedAt - each.sentAt);
          const { status, body } = each.response;
          if (status >= 300) failed.push(`${status} ${body.slice(0, 200)}`);
        });
        pending.push(timed);
      }
    }
    await Promise.all(pending);
    return { ms, failed };
  };

  for (const kind of Object.keys(ATTACKS) as (keyof typeof ATTACKS)[]) {
    const quiet = await measure();
    const mibBefore = server.residentMiB;
    const attacker = await userWithToken(server, { name: `Attacker by ${kind}`, hubIds: [longHubId] });
    const query = encodeURIComponent(`"${'ab '.repeat(16).trim()}" qx`);
    const path = kind === 'lists' ? `/hubs/${longHubId}/notes?limit=100` : `/search?q=${query}`;
    const url = `http://127.0.0.1:${port}/api/v1${path}`;
    // With the least priority, as if it ran on another machine.
    const argv = ['nice', '-n', '19', process.execPath, '--no-env-file', import.meta.path, url, `${ATTACKS[kind]}`];
    const env = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '2000', ATTACKER: attacker.token };
    const attack = Bun.spawn([...argv], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await Bun.sleep(300);
    const attacked = await measure();
    const isFast = attacked.ms.every((each, at) =>
      (
        [
          [0.5, MIN_P50_MS],
          [0.95, MIN_P95_MS],
        ] as const
      ).every(
        ([share, least]) => quantile(each, share) <= Math.max(least, MAX_RATIO * quantile(quiet.ms[at] ?? [], share)),
      ),
    );
    const detail = attacked.ms.map((each) => [0.5, 0.95].map((share) => quantile(each, share).toFixed(0)).join(' / '));
    proof.check(`others stay fast beside the ${kind} of one user`, isFast, `lists, searches, posts: ${detail} ms`);
    proof.none(`no request of others fails beside the ${kind} of one user`, [...quiet.failed, ...attacked.failed]);
    const grownMiB = server.residentMiB - mibBefore;
    proof.check(
      `memory stays bounded beside the ${kind}`,
      grownMiB < MAX_GROWTH_MIB,
      `${grownMiB.toFixed(0)} MiB more`,
    );
    if (kind === 'search') {
      const start = performance.now();
      const code = await server.stop();
      const stopMs = performance.now() - start;
      proof.check('the server stops in time beside them', code === 0 && stopMs < STOP_MS, `${Math.round(stopMs)} ms`);
    }
    attack.kill('SIGKILL');
    await attack.exited;
  }
  load.close();
}

if (import.meta.main) {
  const [url = '', connections = ''] = process.argv.slice(2);
  const headers = { authorization: `Bearer ${process.env.ATTACKER}` };
  const request = async (): Promise<never> => {
    for (;;) {
      const status = await fetch(url, { headers }).then(
        (response) => response.bytes().then(() => response.status),
        () => 503,
      );
      // As fast as the server lets a program be that waits a little when a response asks for it.
      if (status !== 200) await Bun.sleep(1_000);
    }
  };
  await Promise.all(Array.from({ length: Number(connections) }, request));
}
