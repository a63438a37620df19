import { BASE62, buildToken, RANDOM_CHARACTERS } from '@hub/contract';

export type Random = () => number;

/** Returns a generator of pseudorandom numbers from 0 up to 1, always the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

/** Shuffles a list in place (Fisher and Yates), and returns it. */
export function shuffle<T extends { readonly length: number; [index: number]: number }>(list: T, random: Random): T {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [list[index], list[other]] = [list[other] as number, list[index] as number];
  }
  return list;
}

/** Returns an API key or another token that no server has issued. */
export function newToken(random: Random, prefix: string): string {
  const letters = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62.charAt(Math.floor(random() * BASE62.length)));
  return buildToken(prefix, letters.join(''));
}
