import type { KeyAddresses } from '@hub/contract';

type Address = KeyAddresses['items'][number];

/** Who had stopped before does not count as somebody who has to move. */
const COUNTED_DAYS = 7;

export interface MovedMachines {
  /** That used the old key lately. */
  all: number;
  moved: number;
  /** The addresses that still use the old key, the latest first. */
  left: readonly string[];
}

/** After a rotation: which addresses have gone over to the successor, and which have not. */
export function movedMachines(
  old: readonly Address[],
  successor: readonly Address[],
  rotatedAt: string,
): MovedMachines {
  const from = Date.parse(rotatedAt) - COUNTED_DAYS * 86_400_000;
  const machines = old.filter(({ lastUsedAt }) => Date.parse(lastUsedAt) >= from);
  const movedAt = new Map(successor.map(({ address, lastUsedAt }) => [address, Date.parse(lastUsedAt)]));
  const left = machines.filter(({ address, lastUsedAt }) => (movedAt.get(address) ?? 0) < Date.parse(lastUsedAt));
  return { all: machines.length, moved: machines.length - left.length, left: left.map(({ address }) => address) };
}

/** "1 of 2 machines has moved". */
export function movedText({ all, moved }: MovedMachines): string {
  if (all === 0) return 'Nobody used it lately';
  if (all === 1) return moved === 1 ? 'Its machine has moved' : 'Its machine has not moved yet';
  if (moved === all) return `All ${all} machines have moved`;
  return `${moved} of ${all} machines ${moved === 1 ? 'has' : 'have'} moved`;
}
