import { applyTheme, storedTheme } from '../lib/theme/stored-theme.ts';
import { unsavedSummary } from '../lib/unsaved-summary.ts';

/** The URL used to check whether the server is up. Its response is small and needs no session. */
const PROBE = '/api/v1';
const PROBE_EVERY_MS = 3_000;

applyTheme(storedTheme());
const element = document.querySelector('#kept');
if (element) element.textContent = unsavedSummary(Object.keys(localStorage));
document.querySelector('#again')?.addEventListener('click', () => location.reload());
showReason();
addEventListener('offline', showReason);
addEventListener('online', () => {
  showReason();
  void reloadIfReachable();
});
setInterval(() => void reloadIfReachable(), PROBE_EVERY_MS);

/** Without a network it is the browser that is offline; with one, it is the server that does not respond. */
function showReason(): void {
  const title = navigator.onLine ? 'Can’t reach the server' : 'You’re offline';
  document.title = `${title} · Hub`;
  const heading = document.querySelector('h1');
  if (heading) heading.textContent = title;
}

async function reloadIfReachable(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  try {
    const { ok } = await fetch(PROBE, { cache: 'no-store' });
    if (ok) location.reload();
  } catch {
    // Still unreachable.
  }
}
