interface Named {
  id: string;
  name: string;
}

/** A mention or an emoji that is being typed. */
export interface Query {
  /** The index of its `@` or `:`. */
  from: number;
  /** The text after that sign. */
  query: string;
}

const MAX = 64;
const SHOWN = 6;
/** An `@` that the server accepts as the start of a mention, and the text from there to the caret. */
const BEFORE_CARET = /(?:^|[^\p{L}\p{N}\p{M}.%+/@=&#-])@([^@\n]*)$/u;

/** Returns the mention being typed at the caret, or null. */
export function nameQuery(text: string, caret: number): Query | null {
  const before = text.slice(Math.max(0, caret - MAX - 2), caret);
  const query = BEFORE_CARET.exec(before)?.[1];
  return query === undefined || query.startsWith(' ') ? null : { from: caret - query.length - 1, query };
}

/**
 * Returns the members with a word in their name that starts with the query. Matches at the start of the name come
 * first.
 */
export function matchingNames<T extends Named>(members: readonly T[], query: string): T[] {
  const wanted = plain(query);
  const byName: T[] = [];
  const byWord: T[] = [];
  for (const member of members) {
    const name = plain(member.name);
    if (name.startsWith(wanted)) byName.push(member);
    else if (name.split(' ').some((word) => word.startsWith(wanted))) byWord.push(member);
  }
  const alphabetically = (one: T, other: T) => one.name.localeCompare(other.name);
  return [...byName.sort(alphabetically), ...byWord.sort(alphabetically)].slice(0, SHOWN);
}

/** Ignores accents and case. A trailing space ends a whole name, so it is kept. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ');
}
