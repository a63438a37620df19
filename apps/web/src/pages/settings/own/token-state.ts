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
