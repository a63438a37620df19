interface Named {
  id: string;
  name: string;
}

export interface NameQuery {
  /** Where its `@` stands. */
  from: number;
  /** What is written behind it. */
  query: string;
}

const MAX = 64;
const SHOWN = 6;
/** An `@` that the server takes for the beginning of a name, and what stands behind it up to the caret. */
const BEFORE_CARET = /(?:^|[^\p{L}\p{N}\p{M}.%+/@=&#-])@([^@\n]*)$/u;

/** The name that is being written where the caret stands. */
export function nameQuery(text: string, caret: number): NameQuery | null {
  const before = text.slice(Math.max(0, caret - MAX - 2), caret);
  const query = BEFORE_CARET.exec(before)?.[1];
  return query === undefined || query.startsWith(' ') ? null : { from: caret - query.length - 1, query };
}

/** Those whose name, or a word of it, begins with the query: first those whose name does. */
export function fitting<T extends Named>(members: readonly T[], query: string): T[] {
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

/** Accents need not be typed. A blank behind a whole name ends it, so it counts. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ');
}
