import { comparable, type FuzzyMatch, fuzzyMatch } from '../../../lib/fuzzy-match.ts';

/** How much a recently used entry is preferred among similar matches. */
const RECENT_BONUS = 3;
const MAX_RECENT = 5;
/** More matches than anybody reads. */
const MAX_MATCHES = 50;

interface Entry {
  id: string;
  label: string;
}

export type Ranked<E> = E & { ranges: FuzzyMatch['ranges']; isRecent: boolean };

/**
 * Returns the entries that match the query, best first. Without a query: the most recently used ones, then the others
 * in their order. `recent`: ids, most recent first.
 */
export function rank<E extends Entry>(entries: readonly E[], query: string, recent: readonly string[]): Ranked<E>[] {
  const wanted = comparable(query);
  if (wanted.chars.length === 0) {
    const used = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, MAX_RECENT);
    const rest = entries.filter((entry) => !used.includes(entry));
    const unmarked = (list: readonly E[], isRecent: boolean) =>
      list.map((entry) => ({ ...entry, ranges: [], isRecent }));
    return [...unmarked(used, true), ...unmarked(rest, false)];
  }
  return entries
    .flatMap((entry) => {
      const match = fuzzyMatch(wanted, comparable(entry.label));
      return match ? [{ entry, match, score: match.score + (recent.includes(entry.id) ? RECENT_BONUS : 0) }] : [];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_MATCHES)
    .map(({ entry, match }) => ({ ...entry, ranges: match.ranges, isRecent: false }));
}
