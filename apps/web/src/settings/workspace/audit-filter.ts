import type { Actor } from '@hub/contract';

/** What of the audit log is shown, as its address says. */
export interface AuditFilter {
  /** The id of a person, or a kind of those who are no person. */
  who: string | null;
  action: string | null;
  hubId: string | null;
  /** The id of a key, or of whatever something was done to. */
  targetId: string | null;
  /** Days, the first and the last, as a field for dates writes them. */
  from: string | null;
  to: string | null;
}

const NAMES = { who: 'who', action: 'what', hubId: 'hub', targetId: 'key', from: 'from', to: 'to' } as const;
const FIELDS = Object.keys(NAMES) as (keyof AuditFilter)[];

/** Those who act and have no account. */
export const NO_USER = { local: 'hubctl on the server', server: 'The server' } as const satisfies Partial<
  Record<Actor['kind'], string>
>;

export function readFilter(query: URLSearchParams): AuditFilter {
  return Object.fromEntries(FIELDS.map((field) => [field, query.get(NAMES[field]) || null])) as never;
}

export function writeFilter(query: URLSearchParams, filter: AuditFilter): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const field of FIELDS) {
    const value = filter[field];
    if (value === null || value === '') next.delete(NAMES[field]);
    else next.set(NAMES[field], value);
  }
  return next;
}

export function isFiltering(filter: AuditFilter): boolean {
  return FIELDS.some((field) => filter[field] !== null);
}

/** Whether nothing can lie between its days. */
export function isBackwards({ from, to }: AuditFilter): boolean {
  return from !== null && to !== null && from > to;
}

/** As the API is asked. Days are those of the reader, from their beginning to their end. */
export function queryOf({ who, action, hubId, targetId, from, to }: AuditFilter): Record<string, string | null> {
  const isNoUser = who !== null && Object.hasOwn(NO_USER, who);
  return {
    actorKind: isNoUser ? who : null,
    actorId: isNoUser ? null : who,
    action,
    hubId,
    targetId,
    from: midnight(from, 0),
    to: midnight(to, 1),
  };
}

/** The beginning of a day or of one after it, in UTC; `null` for what is no day. */
function midnight(day: string | null, daysLater: number): string | null {
  if (day === null || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}
