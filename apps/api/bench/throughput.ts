import { median, ms, table, thousands } from './statistics.ts';
import { SUBJECTS, start } from './subject.ts';

const CONNECTIONS = [1, 16, 64, 256] as const;
const COMPARED = ['bare', 'elysia', 'each', 'group', 'product'] as const;
type Name = (typeof COMPARED)[number];

interface Cell {
  perSecond: number[];
  p50: number[];
  p99: number[];
  flushesPerPost: number[];
}

/**
 * Measures posts per second in a closed loop: each connection sends its next post when it has the response to the
 * previous one.
 */
export async function measureThroughput(seeded: string, scale: { rounds: number; seconds: number }): Promise<void> {
  const cells = new Map<string, Cell>();
  const resident: number[] = [];
  const cell = (name: Name, connections: number): Cell => {
    const id = `${name} ${connections}`;
    const known = cells.get(id) ?? { perSecond: [], p50: [], p99: [], flushesPerPost: [] };
    cells.set(id, known);
    return known;
  };

  for (let round = 0; round < scale.rounds; round += 1) {
    for (const name of COMPARED) {
      const server = await start(SUBJECTS[name], seeded);
      await server.load({ connections: 16, seconds: 0.5 });
      for (const connections of CONNECTIONS) {
        const result = await server.load({ connections, seconds: scale.seconds });
        const into = cell(name, connections);
        into.perSecond.push(result.perSecond);
        into.p50.push(result.p50Ms);
        into.p99.push(result.p99Ms);
        if (result.flushesPerPost !== undefined) into.flushesPerPost.push(result.flushesPerPost);
      }
      if (name === 'product') resident.push(server.residentBytes());
      await server.stop();
    }
  }

  console.log('## Posts per second (closed loop), and p99 in ms\n');
  console.log(
    table(
      ['', ...CONNECTIONS.map((n) => `${n} connection${n > 1 ? 's' : ''}`)],
      COMPARED.map((name) => [
        SUBJECTS[name].name,
        ...CONNECTIONS.map((n) => `${thousands(median(cell(name, n).perSecond))} (${ms(median(cell(name, n).p99))})`),
      ]),
    ),
  );
  const of = (name: Name, n: number, column: keyof Cell): number => median(cell(name, n)[column]);
  const ratio = (n: number, base: Name): string =>
    (of('product', n, 'perSecond') / of(base, n, 'perSecond')).toFixed(2);
  console.log('\n## Ratios of this run\n');
  console.log(
    table(
      ['', ...CONNECTIONS.map(String)],
      [
        ['Hub / group commit by hand (goal at 64: ≥ 0.70)', ...CONNECTIONS.map((n) => ratio(n, 'group'))],
        ['Hub / one commit per post by hand (goal at 64: ≥ 5)', ...CONNECTIONS.map((n) => ratio(n, 'each'))],
        [
          'flushes per post (goal: ≥ 1 at 1, ≤ 0.2 at 16, ≤ 0.05 at 64)',
          ...CONNECTIONS.map((n) => of('product', n, 'flushesPerPost').toFixed(3)),
        ],
      ],
    ),
  );
  const single = of('product', 1, 'p50') / of('each', 1, 'p50');
  console.log(
    `\nA single post takes ${ms(of('product', 1, 'p50'))} ms (p50), ${single.toFixed(2)} times one commit per post (goal: ≤ 1.25).`,
  );
  console.log(`Resident memory of Hub after its load: ${thousands(median(resident) / 2 ** 20)} MiB.\n`);
}
