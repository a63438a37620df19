import { median, ms, table, thousands } from './statistics.ts';
import { type Load, type Measured, SUBJECTS, start } from './subject.ts';

const CONNECTIONS = [1, 16, 64, 256] as const;
const HEAD = ['', ...CONNECTIONS.map((n) => `${n} connection${n > 1 ? 's' : ''}`)];
type Name = keyof typeof SUBJECTS;
type Server = Awaited<ReturnType<typeof start>>;

interface Scale {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures each server with each number of connections, in turn and in every round. Returns a function for the median of
 * one of the results.
 */
async function compare(
  names: readonly Name[],
  { seeded, rounds, ...load }: { seeded: string; rounds: number } & Omit<Load, 'connections'>,
  afterwards: (name: Name, server: Server) => void = () => {},
) {
  const results = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const server = await start(SUBJECTS[name], seeded);
      await server.load({ connections: 16, seconds: 0.5 });
      for (const connections of CONNECTIONS) {
        const { ratePerSecond: rate } = load;
        const paced = rate === undefined ? {} : { ratePerSecond: connections === 1 ? Math.min(rate, 500) : rate };
        const result = await server.load({ ...load, ...paced, connections });
        results.set(`${name} ${connections}`, [...(results.get(`${name} ${connections}`) ?? []), result]);
      }
      afterwards(name, server);
      await server.stop();
    }
  }
  return (name: Name, connections: number, column: keyof Measured): number =>
    median((results.get(`${name} ${connections}`) ?? []).map((result) => result[column] ?? Number.NaN));
}

/**
 * Measures posts per second in a closed loop: each connection sends its next post when it has the response to the
 * previous one.
 */
export async function measureThroughput(seeded: string, scale: Scale): Promise<void> {
  const names = ['bare', 'elysia', 'each', 'group', 'product'] as const;
  const resident: number[] = [];
  const of = await compare(names, { seeded, ...scale }, (name, server) => {
    if (name === 'product') resident.push(server.residentBytes());
  });
  const row = (name: Name, n: number) => `${thousands(of(name, n, 'perSecond'))} (${ms(of(name, n, 'p99Ms'))})`;
  console.log('## Posts per second (closed loop), and p99 in ms\n');
  console.log(
    table(
      HEAD,
      names.map((name) => [SUBJECTS[name].name, ...CONNECTIONS.map((n) => row(name, n))]),
    ),
  );
  const ratio = (base: Name) => (n: number) => (of('product', n, 'perSecond') / of(base, n, 'perSecond')).toFixed(2);
  const flushes = (n: number) => of('product', n, 'flushesPerPost').toFixed(3);
  console.log('\n## Ratios of this run\n');
  console.log(
    table(
      ['', ...CONNECTIONS.map(String)],
      [
        ['Hub / group commit by hand (goal at 64: ≥ 0.70)', ...CONNECTIONS.map(ratio('group'))],
        ['Hub / one commit per post by hand (goal at 64: ≥ 5)', ...CONNECTIONS.map(ratio('each'))],
        ['flushes per post (goal: ≥ 1 at 1, ≤ 0.2 at 16, ≤ 0.05 at 64)', ...CONNECTIONS.map(flushes)],
      ],
    ),
  );
  const [single, byHand] = [of('product', 1, 'p50Ms'), of('each', 1, 'p50Ms')];
  const times = (single / byHand).toFixed(2);
  console.log(`\nA single post takes ${ms(single)} ms (p50), ${times} times one commit per post (goal: ≤ 1.25).`);
  console.log(`Resident memory of Hub after its load: ${thousands(median(resident) / 2 ** 20)} MiB.\n`);
}

/**
 * Measures latency at a fixed rate, open loop: each post is due at its time whether or not the server keeps up, and
 * its latency is measured from that time, so a slow moment affects every post due in it (no coordinated omission).
 */
export async function measureLatency(seeded: string, scale: Scale): Promise<void> {
  const each = await start(SUBJECTS.each, seeded);
  await each.load({ connections: 64, seconds: 0.5 });
  const { perSecond } = await each.load({ connections: 64, seconds: scale.seconds });
  await each.stop();
  // A rate that a server with one commit per post can still sustain: three quarters of its maximum.
  const ratePerSecond = Math.round(perSecond * 0.75);
  const names = ['each', 'group', 'product'] as const;
  const of = await compare(names, { seeded, ...scale, ratePerSecond });
  const row = (name: Name, n: number) => `${ms(of(name, n, 'p50Ms'))} / ${ms(of(name, n, 'p99Ms'))}`;
  const rate = `${thousands(ratePerSecond)} posts/s (500 with one connection)`;
  console.log(`## Latency in ms, p50 / p99, open loop at ${rate}\n`);
  console.log(
    table(
      HEAD,
      names.map((name) => [SUBJECTS[name].name, ...CONNECTIONS.map((n) => row(name, n))]),
    ),
  );
  const ratio = of('product', 64, 'p99Ms') / of('each', 64, 'p99Ms');
  console.log(`\nHub's p99 at 64 connections is ${ratio.toFixed(2)} of one commit per post's (goal: ≤ 0.5).\n`);
}
