import { type ReadonlySignal, signal } from '@preact/signals';

const MINUTE_MS = 60_000;

const minute = signal(Date.now());

/** The present minute: what depends on it, such as what is overdue or today, is drawn again when it passes. */
export const now: ReadonlySignal<number> = minute;

function tick(): void {
  minute.value = Date.now();
  setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
}
setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
// A tab that slept has missed some.
document.addEventListener('visibilitychange', () => {
  minute.value = Date.now();
});
