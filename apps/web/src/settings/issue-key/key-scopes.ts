import type { Scope } from '@hub/contract';

/** What keys may create, in the order in which it is shown. */
export const SCOPE_KINDS = {
  'messages:create': { kind: 'messages', text: 'messages', label: 'Messages' },
  'notes:create': { kind: 'notes', text: 'notes', label: 'Notes' },
  'todos:create': { kind: 'todos', text: 'to-dos', label: 'To-dos' },
} as const satisfies Record<Scope, unknown>;

export const SCOPES = Object.keys(SCOPE_KINDS) as Scope[];

/** The last part of the address to post to. */
export type PostKind = (typeof SCOPE_KINDS)[Scope]['kind'];

/** What a key with these scopes posts first in examples and tests. */
export function firstKind(scopes: readonly Scope[]): PostKind {
  return SCOPE_KINDS[SCOPES.find((scope) => scopes.includes(scope)) ?? 'messages:create'].kind;
}

/** "messages, notes and to-dos". */
export function scopeText(scopes: readonly Scope[]): string {
  const text = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => SCOPE_KINDS[scope].text);
  const last = text.pop() ?? 'nothing';
  return text.length === 0 ? last : `${text.join(', ')} and ${last}`;
}
