import { quantile } from '@hub/testkit';

const SWEEPS = 3;

/** The samples of one task from several sweeps across all tasks. */
export interface Swept {
  readonly name: string;
  readonly sweeps: number[][];
}
/** A task; `once` resolves with its duration in milliseconds. */
export interface Task {
  readonly name: string;
  readonly once: () => Promise<readonly number[]>;
}

/** Runs all tasks in turn, round by round, so that each finds the caches in the state in which the others left them. */
export async function sweep(tasks: readonly Task[], rounds: number): Promise<Swept[]> {
  const swept = tasks.map(({ name }) => ({ name, sweeps: [] as number[][] }));
  for (let n = 0; n < SWEEPS; n += 1) {
    for (const each of swept) each.sweeps.push([]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { once }] of tasks.entries()) swept[index]?.sweeps[n]?.push(...(await once()));
    }
  }
  return swept;
}

/** Returns the value from the best sweep: other load makes responses slower, never faster. */
export function p99({ sweeps }: Swept): number {
  return Math.min(...sweeps.map((samples) => quantile(samples, 0.99)));
}

export function p50({ sweeps }: Swept): number {
  return quantile(sweeps.flat(), 0.5);
}

export function format({ name, ...rest }: Swept): string {
  const of = { name, ...rest };
  return `${name}: p99 ${p99(of).toFixed(2)} ms, p50 ${p50(of).toFixed(2)} ms`;
}
