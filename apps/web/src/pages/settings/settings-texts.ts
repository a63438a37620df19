import { countOf } from '../../lib/count-text.ts';

/** "forever", "for 1 day" or "for 90 days". */
export function retentionText(retentionDays: number | null): string {
  if (retentionDays === null) return 'forever';
  return `for ${countOf(retentionDays, 'day')}`;
}

/** Whether the new retention period deletes more items than the current one. */
export function isShorter(days: number | null, current: number | null): boolean {
  return days !== null && (current === null || days < current);
}

/** "Forever", "For 1 day" or "For 90 days". */
export function retentionLabel(retentionDays: number | null): string {
  const text = retentionText(retentionDays);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function isPhone(userAgent: string | null): boolean {
  return userAgent !== null && /\b(?:Mobile|Android|iPhone|iPad|iPod)\b/.test(userAgent);
}

const DAY_MS = 86_400_000;
/** Tokens that expire within this time show a warning. */
const SOON_DAYS = 14;

type TokenState =
  | { state: 'active' }
  /** `days` left, rounded up. */
  | { state: 'soon'; days: number }
  | { state: 'expired' };

/** Returns the state of a token at `nowMs`. It is valid while now < `expiresAt`. */
export function tokenState({ expiresAt }: { expiresAt: string | null }, nowMs: number): TokenState {
  if (expiresAt === null) return { state: 'active' };
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return { state: 'expired' };
  const days = Math.ceil(leftMs / DAY_MS);
  return days <= SOON_DAYS ? { state: 'soon', days } : { state: 'active' };
}
