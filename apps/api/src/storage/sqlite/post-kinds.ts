import { ALL_SCOPES, type Scope } from '@hub/contract';
import { sql } from 'drizzle-orm';
import { items } from './tables/items.table.ts';

/** Kinds of posts as a bit set, so that the kinds of a key can be updated without reading them first. */
const BITS: Readonly<Record<string, number>> = { message: 1, note: 2, todo: 4 };
const BIT_OF_SCOPE: Readonly<Record<Scope, number>> = { 'messages:create': 1, 'notes:create': 2, 'todos:create': 4 };

export function bitOf(kind: string): number {
  return BITS[kind] ?? 0;
}

export function scopesOf(kinds: number): Scope[] {
  return ALL_SCOPES.filter((scope) => (kinds & BIT_OF_SCOPE[scope]) !== 0);
}

/** The bit set of the kinds in a group of items. */
export const kindsOfGroup = sql<number>`max(${items.kind} = 'message') + 2 * max(${items.kind} = 'note') + 4 * max(${items.kind} = 'todo')`;
