import type { Scope } from '@hub/contract';

/** The scopes of keys, in display order. */
export const SCOPE_KINDS = {
  'messages:create': { kind: 'messages', text: 'messages', label: 'Messages' },
  'notes:create': { kind: 'notes', text: 'notes', label: 'Notes' },
  'todos:create': { kind: 'todos', text: 'to-dos', label: 'To-dos' },
} as const satisfies Record<Scope, unknown>;

export const SCOPES = Object.keys(SCOPE_KINDS) as Scope[];

/** The last segment of the URL to post to. */
export type PostKind = (typeof SCOPE_KINDS)[Scope]['kind'];

/** Returns the kind that examples and test posts use for these scopes. */
export function firstKind(scopes: readonly Scope[]): PostKind {
  return SCOPE_KINDS[SCOPES.find((scope) => scopes.includes(scope)) ?? 'messages:create'].kind;
}

/** "messages, notes and to-dos". */
export function scopeText(scopes: readonly Scope[]): string {
  const text = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => SCOPE_KINDS[scope].text);
  const last = text.pop() ?? 'nothing';
  return text.length === 0 ? last : `${text.join(', ')} and ${last}`;
}
