import { join } from 'node:path';
import type { FollowPlan, FollowResult } from './live-followers.ts';
import { seedLive } from './live-seed.ts';
import { median, ms, table, thousands } from './statistics.ts';
import { type Running, SUBJECTS, start } from './subject.ts';

const COMPARED = ['plainLive', 'product'] as const;
type Name = (typeof COMPARED)[number];
type Pace = NonNullable<FollowPlan['pace']>;

const CASES = [
  { sockets: 100, ratePerSecond: 50 },
  { sockets: 1_000, ratePerSecond: 20 },
  { sockets: 1_000, ratePerSecond: 50 },
] as const;
/** Latency is measured in more turns than throughput, since a single slow moment can determine its 99th percentile. */
const TURNS_PER_ROUND = 3;
const WARM_UP_SECONDS = 1;
const FOLLOWERS = [0, 10, 100] as const;
/** Enough keys that none reaches its rate limit during the flood. */
const KEYS = 20_000;

/** Measured values, one per turn, by the name of what was measured. */
type Samples = Map<string, number[]>;

/**
 * Measures how long a post takes to reach the followers of its Hub, and how much followers slow down the senders.
 * Both servers run throughout and take turns of a few seconds, so that anything else that slows the machine slows both.
 */
export async function measureLive(workDir: string, scale: { rounds: number; seconds: number }): Promise<void> {
  const seeded = join(workDir, 'live');
  const plan = { ...(await seedLive(seeded, KEYS)), keysFile: join(seeded, 'keys.txt') };
  const servers = await Promise.all(COMPARED.map((name) => start(SUBJECTS[name], seeded)));
  const samples: Samples = new Map();
  const alternate = async (turns: number, measure: (server: Running) => Promise<object>, id: string): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [n, server] of servers.entries()) addSample(samples, `${COMPARED[n]} ${id}`, await measure(server));
    }
  };
  const pacing = (sockets: number, pace: Pace) => (server: Running) =>
    followPaced({ ...plan, port: server.port, sockets, pace });
  for (const server of servers) {
    // Without this, the first few hundred posts at a low rate are measured while the runtime still compiles their
    // code.
    await server.load({ connections: 16, seconds: WARM_UP_SECONDS });
    await pacing(100, { ratePerSecond: 50, seconds: WARM_UP_SECONDS })(server);
  }
  for (const { sockets, ratePerSecond } of CASES) {
    const measure = pacing(sockets, { ratePerSecond, seconds: scale.seconds });
    await alternate(scale.rounds * TURNS_PER_ROUND, measure, `${sockets} ${ratePerSecond}`);
  }
  for (const followers of FOLLOWERS) {
    await alternate(scale.rounds, (server) => flood(server, plan, followers, scale.seconds), `${followers}`);
  }
  await Promise.all(servers.map((server) => server.stop()));
  printLatency(samples);
  printFlood(samples);
}

function addSample(samples: Samples, id: string, values: object): void {
  for (const [what, value] of Object.entries(values)) {
    const known = samples.get(`${id} ${what}`);
    if (known) known.push(value);
    else samples.set(`${id} ${what}`, [value]);
  }
}

/** Returns the median of the ratios per turn, each comparing Hub with the prototype measured right before it. */
function ratioOf(samples: Samples, what: string): string {
  const [plain = [], hub = []] = COMPARED.map((name) => samples.get(`${name} ${what}`));
  return median(hub.map((value, turn) => value / (plain[turn] ?? Number.NaN))).toFixed(2);
}

/** Starts the followers. Resolves once all of them follow the Hub. */
async function startFollowers(plan: FollowPlan) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'live-followers.ts'), JSON.stringify(plan)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>;
  const reading = lines[Symbol.asyncIterator]();
  let text = '';
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      const { value, done } = await reading.next();
      if (done) throw new Error('The followers exited early');
      text += value;
    }
  };
  await until(() => text.startsWith('ready\n'));
  return {
    end: () => child.stdin.end(),
    result: async (): Promise<FollowResult> => {
      await until(() => text.endsWith('}\n'));
      return JSON.parse(text.slice('ready\n'.length)) as FollowResult;
    },
  };
}

async function followPaced(plan: FollowPlan): Promise<FollowResult> {
  const followers = await startFollowers(plan);
  const result = await followers.result();
  if (result.missing > 0) throw new Error(`${result.missing} frames did not arrive`);
  return result;
}

async function flood(server: Running, plan: Omit<FollowPlan, 'port' | 'sockets'>, sockets: number, seconds: number) {
  const followers = await startFollowers({ ...plan, port: server.port, sockets });
  const { perSecond, p99Ms } = await server.load({ connections: 64, seconds });
  followers.end();
  const { frames, closed } = await followers.result();
  return { perSecond, p99Ms, framesPerSecond: frames / seconds, closed };
}

function printLatency(samples: Samples): void {
  const ids = CASES.map(({ sockets, ratePerSecond }) => `${sockets} ${ratePerSecond}`);
  const pair = (name: Name, id: string, low: keyof FollowResult, high: keyof FollowResult): string =>
    [low, high].map((what) => ms(median(samples.get(`${name} ${id} ${what}`) ?? []))).join(' / ');
  const rows = COMPARED.flatMap((name) => [
    [`${SUBJECTS[name].name}: to the frame`, ...ids.map((id) => pair(name, id, 'p50Ms', 'p99Ms'))],
    [`${SUBJECTS[name].name}: to the 201`, ...ids.map((id) => pair(name, id, 'respondedP50Ms', 'respondedP99Ms'))],
  ]);
  rows.push(['to the frame, ratio of p50', ...ids.map((id) => ratioOf(samples, `${id} p50Ms`))]);
  rows.push(['to the frame, ratio of p99 (goal: ≤ 1.3)', ...ids.map((id) => ratioOf(samples, `${id} p99Ms`))]);
  const heads = CASES.map(({ sockets, ratePerSecond }) => `${thousands(sockets)} sockets, ${ratePerSecond} posts/s`);
  console.log('## Live: from a post to each socket following its Hub, p50 / p99 in ms, open loop\n');
  console.log(`${table(['', ...heads], rows)}\n`);
}

function printFlood(samples: Samples): void {
  const of = (name: Name, followers: number, what: string): number =>
    median(samples.get(`${name} ${followers} ${what}`) ?? []);
  const rows = COMPARED.flatMap((name) => [
    [
      `${SUBJECTS[name].name}: posts/s (p99 in ms)`,
      ...FOLLOWERS.map((n) => `${thousands(of(name, n, 'perSecond'))} (${ms(of(name, n, 'p99Ms'))})`),
    ],
    [
      `${SUBJECTS[name].name}: frames/s (closed)`,
      ...FOLLOWERS.map((n) => `${thousands(of(name, n, 'framesPerSecond'))} (${of(name, n, 'closed')})`),
    ],
  ]);
  rows.push(['ratio of posts/s', ...FOLLOWERS.map((n) => ratioOf(samples, `${n} perSecond`))]);
  console.log('## Live: posts per second at 64 connections by number of sockets following the Hub\n');
  console.log(`${table(['', ...FOLLOWERS.map(String)], rows)}\n`);
}
