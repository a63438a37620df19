/** The permissions that a key can have, with their labels. Each scope allows one endpoint of the public API. */
export const SCOPES = {
  'messages:create': 'Create message',
  'notes:create': 'Create note',
  'todos:create': 'Create todo',
} as const;

export type Scope = keyof typeof SCOPES;

/** All scopes in display order. */
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

/** Parses a full scope (`notes:create`) or its short form (`notes`); returns `null` for anything else. */
export function parseScope(word: string): Scope | null {
  const full = word.includes(':') ? word : `${word}:create`;
  return Object.hasOwn(SCOPES, full) ? (full as Scope) : null;
}
