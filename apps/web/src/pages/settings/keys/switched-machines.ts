import type { KeyAddresses } from '@hub/contract';

type Address = KeyAddresses['items'][number];

/** Addresses unused for this many days before the rotation are not counted. */
const COUNTED_DAYS = 7;

interface SwitchedMachines {
  /** Addresses that used the old key recently. */
  all: number;
  switched: number;
  /** Addresses that still use the old key, most recent first. */
  left: readonly string[];
}

/** Returns which addresses have switched to the successor after a rotation, and which have not. */
export function switchedMachines(
  old: readonly Address[],
  successor: readonly Address[],
  rotatedAt: string,
): SwitchedMachines {
  const from = Date.parse(rotatedAt) - COUNTED_DAYS * 86_400_000;
  const machines = old.filter(({ lastUsedAt }) => Date.parse(lastUsedAt) >= from);
  const movedAt = new Map(successor.map(({ address, lastUsedAt }) => [address, Date.parse(lastUsedAt)]));
  const rest = machines.filter(({ address, lastUsedAt }) => (movedAt.get(address) ?? 0) < Date.parse(lastUsedAt));
  return { all: machines.length, switched: machines.length - rest.length, left: rest.map(({ address }) => address) };
}

/** "1 of 2 machines switched". */
export function switchedText({ all, switched }: SwitchedMachines): string {
  if (all === 0) return 'Not used recently';
  if (all === 1) return switched === 1 ? 'Nothing uses this key anymore' : '1 machine hasn’t switched yet';
  if (switched === all) return `All ${all} machines switched`;
  return `${switched} of ${all} machines switched`;
}

/** Lists the addresses that have not switched, if any: "10.0.4.22 only", "10.0.4.22, 10.0.4.23 and 3 more". */
export function stillUsedText(machines: SwitchedMachines | null): string | null {
  const [first, second, ...rest] = machines?.left ?? [];
  if (first === undefined) return null;
  if (second === undefined) return `${first} only`;
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`;
}
