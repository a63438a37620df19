import { ALL_SCOPES, type Scope } from '@hub/contract';
import { sql } from 'drizzle-orm';
import { items } from './tables/items.table.ts';

/** Kinds of posts as one number, a bit for each, so that what a key has used is kept without reading it first. */
const BITS: Readonly<Record<string, number>> = { message: 1, note: 2, todo: 4 };
const BIT_OF_SCOPE: Readonly<Record<Scope, number>> = { 'messages:create': 1, 'notes:create': 2, 'todos:create': 4 };

export function bitOf(kind: string): number {
  return BITS[kind] ?? 0;
}

export function scopesOf(kinds: number): Scope[] {
  return ALL_SCOPES.filter((scope) => (kinds & BIT_OF_SCOPE[scope]) !== 0);
}

/** The kinds of a group of items. */
export const kindsOfGroup = sql<number>`max(${items.kind} = 'message') + 2 * max(${items.kind} = 'note') + 4 * max(${items.kind} = 'todo')`;
