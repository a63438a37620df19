import { Type } from '@sinclair/typebox';

/** What a key may do, with the label that people read. Each scope opens one endpoint of the public API. */
export const SCOPES = {
  'messages:create': 'Create message',
  'notes:create': 'Create note',
  'todos:create': 'Create todo',
} as const;

export type Scope = keyof typeof SCOPES;

/** All scopes in the order in which they are shown. */
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export const ScopeSchema = Type.Union(
  [Type.Literal('messages:create'), Type.Literal('notes:create'), Type.Literal('todos:create')],
  { description: 'What a key may create.' },
);

/** Accepts a full scope (`notes:create`) or its short word (`notes`); anything else is `null`. */
export function parseScope(word: string): Scope | null {
  const full = word.includes(':') ? word : `${word}:create`;
  return Object.hasOwn(SCOPES, full) ? (full as Scope) : null;
}
