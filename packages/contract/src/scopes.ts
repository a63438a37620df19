import { Type } from '@sinclair/typebox';

/** The permissions that a key can have, with their labels. Each scope allows one endpoint of the public API. */
export const SCOPES = {
  'messages:create': 'Create message',
  'notes:create': 'Create note',
  'todos:create': 'Create todo',
} as const;

export type Scope = keyof typeof SCOPES;

/** All scopes in display order. */
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export const ScopeSchema = Type.Union(
  [Type.Literal('messages:create'), Type.Literal('notes:create'), Type.Literal('todos:create')],
  { description: 'A kind of post that a key can create.' },
);

/** Parses a full scope (`notes:create`) or its short form (`notes`); returns `null` for anything else. */
export function parseScope(word: string): Scope | null {
  const full = word.includes(':') ? word : `${word}:create`;
  return Object.hasOwn(SCOPES, full) ? (full as Scope) : null;
}
