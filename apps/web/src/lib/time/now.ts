import { type ReadonlySignal, signal } from '@preact/signals';

const MINUTE_MS = 60_000;

const minute = signal(Date.now());

/** The current time, updated every minute, so that what depends on it is rendered again. */
export const now: ReadonlySignal<number> = minute;

function tick(): void {
  minute.value = Date.now();
  setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
}
setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
// A suspended tab has missed ticks.
document.addEventListener('visibilitychange', () => {
  minute.value = Date.now();
});
