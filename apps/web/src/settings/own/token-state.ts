const DAY_MS = 86_400_000;
/** From here on it is worth a word of warning. */
const SOON_DAYS = 14;

export type TokenState =
  | { state: 'lasting' }
  | { state: 'active' }
  /** `days` that are left, begun ones too. */
  | { state: 'soon'; days: number }
  | { state: 'expired' };

/** How a token stands at a moment: it is valid while now is before its end. */
export function tokenState({ expiresAt }: { expiresAt: string | null }, nowMs: number): TokenState {
  if (expiresAt === null) return { state: 'lasting' };
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return { state: 'expired' };
  const days = Math.ceil(leftMs / DAY_MS);
  return days <= SOON_DAYS ? { state: 'soon', days } : { state: 'active' };
}
