import { daysLeft } from '@hub/contract/key-warnings';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** At or below this, seconds are shown. */
export const BY_SECOND_MS = 5 * MINUTE_MS;

/** Formats a duration: "4:12", "42 min", "17 h 42 min", "6 days". Days are counted as in hubctl. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return '0:00';
  if (ms <= BY_SECOND_MS) {
    const seconds = Math.ceil(ms / SECOND_MS);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
  const days = daysLeft(ms);
  if (days !== null) return `${days} days`;
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns the milliseconds until the text changes, so that nothing is rendered in between. */
export function nextTick(ms: number): number {
  const step = ms <= BY_SECOND_MS ? SECOND_MS : MINUTE_MS;
  return ms % step === 0 ? step : ms % step;
}
