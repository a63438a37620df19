import type { Actor } from '@hub/contract';
import { isDay, startOfDay } from '../../../lib/time/dates.ts';

export interface AuditFilter {
  /** The id of a user, or the kind of an actor without an account. */
  who: string | null;
  action: string | null;
  hubId: string | null;
  targetId: string | null;
  /** The first and last date, as `YYYY-MM-DD`. */
  from: string | null;
  to: string | null;
}

export const PARAMETERS = {
  who: 'who',
  action: 'what',
  hubId: 'hub',
  targetId: 'key',
  from: 'from',
  to: 'to',
} as const;
export const FIELDS = Object.keys(PARAMETERS) as (keyof AuditFilter)[];

/** Actors without an account. */
export const NO_USER = { local: 'Local admin', server: 'The server' } as const satisfies Partial<
  Record<Actor['kind'], string>
>;

export function readFilter(query: URLSearchParams): AuditFilter {
  const read = (field: keyof AuditFilter): string | null => {
    const value = query.get(PARAMETERS[field]) || null;
    return (field === 'from' || field === 'to') && value !== null && !isDay(value) ? null : value;
  };
  return Object.fromEntries(FIELDS.map((field) => [field, read(field)])) as never;
}

export function isFiltering(filter: AuditFilter): boolean {
  return FIELDS.some((field) => filter[field] !== null);
}

/** Whether the first date is after the last. */
export function isBackwards({ from, to }: AuditFilter): boolean {
  return from !== null && to !== null && from > to;
}

/** Returns the query for the API. Dates are local and include the whole day. */
export function queryOf({ who, action, hubId, targetId, from, to }: AuditFilter) {
  const noUser: keyof typeof NO_USER | null = who === 'local' || who === 'server' ? who : null;
  return {
    actorKind: noUser,
    actorId: noUser === null ? who : null,
    action,
    hubId,
    targetId,
    from: from && startOfDay(from),
    to: to && startOfDay(to, 1),
  };
}
