import { applyTheme, storedTheme } from '../theme/stored-theme.ts';
import { keptText } from './kept-text.ts';

/** What is asked to see whether the server is there: it is small, and needs nobody to be signed in. */
const PROBE = '/api/v1';
const ASK_EVERY_MS = 3_000;

applyTheme(storedTheme());
const kept = document.querySelector('#kept');
if (kept) kept.textContent = keptText(Object.keys(localStorage));
document.querySelector('#again')?.addEventListener('click', () => location.reload());
showWhy();
addEventListener('offline', showWhy);
addEventListener('online', () => {
  showWhy();
  void goOnIfThere();
});
setInterval(() => void goOnIfThere(), ASK_EVERY_MS);

/** Without a network it is the browser that is offline; with one, it is the server that does not respond. */
function showWhy(): void {
  const title = navigator.onLine ? 'The server cannot be reached' : 'You are offline';
  document.title = `${title} · Hub`;
  const heading = document.querySelector('h1');
  if (heading) heading.textContent = title;
}

async function goOnIfThere(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  try {
    const { ok } = await fetch(PROBE, { cache: 'no-store' });
    if (ok) location.reload();
  } catch {
    // Still not.
  }
}
