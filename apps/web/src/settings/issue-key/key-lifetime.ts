import type { ApiKey, SucceedKeyBody } from '@hub/contract';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
const OFFERED_DAYS = [30, 90, 365];

/** How long a new key works: so many days, to the end of a day, or for ever. */
export type Lifetime = { days: number } | { until: string } | 'never';

/** What a form offers where keys last so many days at most; `null` for no limit. */
export function offeredDays(maxDays: number | null): number[] {
  if (maxDays === null) return OFFERED_DAYS;
  return [...OFFERED_DAYS.filter((days) => days < maxDays), maxDays];
}

/** As the API takes it. `until` is a day of the reader's calendar, which counts to its end. */
export function expiryOf(lifetime: Lifetime): SucceedKeyBody {
  if (lifetime === 'never') return {};
  if ('days' in lifetime) return { lifetimeSeconds: lifetime.days * DAY_SECONDS };
  return { expiresAt: endOfDay(lifetime.until) };
}

/** When such a key ends; `null` for never, and for what is no day. */
export function endOf(lifetime: Lifetime, nowMs: number): string | null {
  if (lifetime === 'never') return null;
  if ('days' in lifetime) return new Date(nowMs + lifetime.days * DAY_MS).toISOString();
  return isDay(lifetime.until) ? endOfDay(lifetime.until) : null;
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** As a field for dates writes it, where the reader is. */
export function dayText(ms: number): string {
  const date = new Date(ms);
  const part = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** The last day to whose end a key may last. */
export function latestDay(maxDays: number, nowMs: number): string {
  const end = new Date(nowMs + maxDays * DAY_MS);
  return dayText(new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1).getTime());
}

/** Why no key can last to the end of that day; nothing if one can. */
export function dayProblem(day: string, maxDays: number | null, nowMs: number): string {
  if (!isDay(day)) return 'Choose the last day on which it works.';
  if (Date.parse(endOfDay(day)) <= nowMs) return 'That day has passed. Choose a later one.';
  if (maxDays === null || day <= latestDay(maxDays, nowMs)) return '';
  return `Keys last ${maxDays === 1 ? '1 day' : `${maxDays} days`} at most here. Choose an earlier day.`;
}

/** Whether a key lasts longer than its workspace allows to new ones. */
export function outlastsMaxLifetime(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  maxDays: number | null,
): boolean {
  if (maxDays === null) return false;
  return expiresAt === null || Date.parse(expiresAt) - Date.parse(createdAt) > maxDays * DAY_MS;
}

/** What to send with a rotation or a replacement: nothing, unless the lifetime of the old key is longer than is allowed now. */
export function successorExpiry(key: Pick<ApiKey, 'createdAt' | 'expiresAt'>, maxDays: number | null): SucceedKeyBody {
  return maxDays !== null && outlastsMaxLifetime(key, maxDays) ? expiryOf({ days: maxDays }) : {};
}

function endOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
}
