import { median, ms, table, thousands } from './statistics.ts';
import { SUBJECTS, start } from './subject.ts';

const CONNECTIONS = [1, 16, 64, 256] as const;

/**
 * Measures latency at a fixed rate, open loop: each post is due at its time whether or not the server keeps up, and
 * its latency is measured from that time, so a slow moment affects every post due in it (no coordinated omission).
 */
export async function measureLatency(seeded: string, scale: { rounds: number; seconds: number }): Promise<void> {
  const each = await start(SUBJECTS.each, seeded);
  await each.load({ connections: 64, seconds: 0.5 });
  const { perSecond } = await each.load({ connections: 64, seconds: scale.seconds });
  await each.stop();
  // A rate that a server with one commit per post can still sustain: three quarters of its maximum.
  const rate = Math.round(perSecond * 0.75);

  const found: Record<string, { p50: number[]; p99: number[] }> = {};
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const name of ['each', 'group', 'product'] as const) {
      const server = await start(SUBJECTS[name], seeded);
      await server.load({ connections: 16, seconds: 0.5 });
      for (const connections of CONNECTIONS) {
        const ratePerSecond = connections === 1 ? Math.min(rate, 500) : rate;
        const result = await server.load({ connections, seconds: scale.seconds, ratePerSecond });
        const cell = found[`${name} ${connections}`] ?? { p50: [], p99: [] };
        found[`${name} ${connections}`] = cell;
        cell.p50.push(result.p50Ms);
        cell.p99.push(result.p99Ms);
      }
      await server.stop();
    }
  }

  const cell = (name: string, n: number, quantile: 'p50' | 'p99'): number =>
    median(found[`${name} ${n}`]?.[quantile] ?? []);
  console.log(`## Latency in ms, p50 / p99, open loop at ${thousands(rate)} posts/s (500 with one connection)\n`);
  console.log(
    table(
      ['', ...CONNECTIONS.map((n) => `${n} connection${n > 1 ? 's' : ''}`)],
      (['each', 'group', 'product'] as const).map((name) => [
        SUBJECTS[name].name,
        ...CONNECTIONS.map((n) => `${ms(cell(name, n, 'p50'))} / ${ms(cell(name, n, 'p99'))}`),
      ]),
    ),
  );
  const ratio = cell('product', 64, 'p99') / cell('each', 64, 'p99');
  console.log(`\nHub's p99 at 64 connections is ${ratio.toFixed(2)} of one commit per post's (goal: ≤ 0.5).\n`);
}
