import type { Clock, Log, Random } from '../src/ports.ts';

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => Bun.sleep(ms),
};

export const random: Random = { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };

const silent = (): void => {};
export const log: Log = { debug: silent, info: silent, warn: silent, error: console.error };
