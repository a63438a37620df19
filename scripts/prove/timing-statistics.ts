import { shuffle } from '@hub/testkit';

/**
 * The samples of one measurement: a row per round with one time per class. The times in a row are measured right after
 * one another.
 */
export type Rounds = readonly Float64Array[];

export interface Verdict {
  /** The median of each class. */
  medians: number[];
  /** The difference between the slowest and the fastest class, as a fraction of the fastest. */
  spread: number;
  /** The spread that is exceeded by chance alone in one case out of a thousand. */
  chance: number;
  /** The probability that chance alone causes this spread or a greater one. */
  probability: number;
}

const PERMUTATIONS = 1_000;

/**
 * A permutation test on the spread of the medians: if the class made no difference, the labels of the times in a round
 * would be interchangeable. Labels are permuted only within a round, so that temporary slowdowns of the machine have no
 * effect.
 */
export function checkSpread(rounds: Rounds, random: () => number = Math.random): Verdict {
  const classes = rounds[0]?.length ?? 0;
  const columns = Array.from({ length: classes }, () => new Float64Array(rounds.length));
  const fill = (arrange: (row: Float64Array) => void): number[] => {
    const labels = Float64Array.from({ length: classes }, (_, index) => index);
    for (const [number, row] of rounds.entries()) {
      arrange(labels);
      for (const [index, column] of columns.entries()) column[number] = row[labels[index] as number] as number;
    }
    return columns.map(medianOf);
  };
  const medians = fill(() => {});
  const spread = spreadOf(medians);
  const byChance = Array.from({ length: PERMUTATIONS }, () => spreadOf(fill((labels) => shuffle(labels, random))));
  byChance.sort((a, b) => a - b);
  const asGreat = byChance.filter((each) => each >= spread).length;
  return {
    medians,
    spread,
    chance: byChance[Math.floor(PERMUTATIONS * 0.999)] as number,
    probability: (asGreat + 1) / (PERMUTATIONS + 1),
  };
}

function spreadOf(medians: readonly number[]): number {
  return Math.max(...medians) / Math.min(...medians) - 1;
}

function medianOf(values: Float64Array): number {
  return values.toSorted()[Math.floor(values.length / 2)] as number;
}
