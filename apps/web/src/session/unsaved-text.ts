/**
 * What somebody has written and the server does not have, kept in this browser under the id of whoever wrote it: it survives a
 * reload, a restart of the browser and a session that ends. Signing out takes it away, on this page and on all others.
 */
const KINDS = { draft: 'hub.draft.', unsent: 'hub.outbox.' } as const;

export type KeptKind = keyof typeof KINDS;

/** Whose words are not kept any more: what their pages would write while they go is of yesterday. */
let forgotten: string | null = null;
/** Each writes down at once what it would write down a moment later. */
const writers = new Set<() => void>();

/** Under which a text is kept. Without a key: how the names of all of them begin. */
export function keptName(kind: KeptKind, personId: string, key = ''): string {
  return `${KINDS[kind]}${personId}.${key}`;
}

/** Browsers may keep nothing for a page: then a text lives as long as the page does. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, text: string): void {
  if (forgotten !== null && namesOf(forgotten).some((start) => name.startsWith(start))) return;
  try {
    localStorage.setItem(name, text);
  } catch {
    // There is no room: what was typed is still in the page.
  }
}

export function drop(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // It was never kept.
  }
}

/** All that is kept of one kind. */
export function keptNames(kind: KeptKind, personId: string): string[] {
  try {
    const start = keptName(kind, personId);
    return Object.keys(localStorage).filter((name) => name.startsWith(start));
  } catch {
    return [];
  }
}

/** From now on, `write` is called before anybody asks what is kept. The result ends that. */
export function onWriteDown(write: () => void): () => void {
  writers.add(write);
  return () => writers.delete(write);
}

/** How much signing out would lose. */
export function countKept(personId: string): Record<KeptKind, number> {
  for (const write of writers) write();
  return { draft: keptNames('draft', personId).length, unsent: keptNames('unsent', personId).length };
}

/** Takes all of it away. Nothing of theirs is kept from now on, for as long as this page is there. */
export function forgetText(personId: string): void {
  forgotten = personId;
  for (const kind of Object.keys(KINDS) as KeptKind[]) keptNames(kind, personId).forEach(drop);
}

function namesOf(personId: string): string[] {
  return (Object.keys(KINDS) as KeptKind[]).map((kind) => keptName(kind, personId));
}
