import { computed, type ReadonlySignal, signal } from '@preact/signals';

interface Place {
  path: string;
  query: URLSearchParams;
  /** Of this entry of the history, so that a view can keep what belongs to it, such as a place in a feed. */
  key: string;
}

let entries = 0;
const here = signal<Place>(read());

/** Where this tab is. */
export const place: ReadonlySignal<Place> = here;

/** The item whose panel is open, if one is: `?open=msg_…`. */
export const openItemId = computed(() => here.value.query.get('open'));

/** Goes to an address of these pages, and nowhere else. `replace`, or where one is already: the present one is not to be come back to. */
export function navigate(to: string, { replace = false } = {}): void {
  const url = new URL(to, location.href);
  if (url.origin !== location.origin) return;
  entries += 1;
  const state = { key: `${performance.timeOrigin}-${entries}` };
  if (replace || url.href === location.href) history.replaceState(state, '', url);
  else history.pushState(state, '', url);
  here.value = read();
}

/** The present address with another `open` item, or with none. */
export function withPanel(itemId: string | null): string {
  const query = new URLSearchParams(here.value.query);
  if (itemId === null) query.delete('open');
  else query.set('open', itemId);
  query.delete('show');
  query.delete('reply');
  return withQuery(query);
}

/** The present address with another query. */
export function withQuery(query: URLSearchParams): string {
  return query.size === 0 ? here.value.path : `${here.value.path}?${query}`;
}

/** Links of these pages are followed without loading them anew; a new tab, a download and other servers are the browser's. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    here.value = read();
  });
  document.addEventListener('click', (event) => {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link?.href || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!isOurs(link.pathname)) return;
    event.preventDefault();
    const isHere = link.pathname === location.pathname && link.search === location.search;
    if (isHere && link.hash !== '') focusPart(link.hash.slice(1));
    else if (link.href !== location.href) navigate(link.href);
  });
}

/** A part of this page, such as its content behind the sidebar. The address stays. */
function focusPart(id: string): void {
  const part = document.getElementById(id);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus();
}

/** The pages that the server makes by itself are loaded. */
function isOurs(path: string): boolean {
  return !/^\/(?:api|setup|join|reset|assets|app|offline)(?:\/|$)/.test(path);
}

/** Whether an address is one that `followLinks` follows. */
export function isOurPage(href: string): boolean {
  const url = URL.parse(href);
  return url?.origin === location.origin && isOurs(url.pathname);
}

function read(): Place {
  const { key } = (history.state ?? {}) as { key?: unknown };
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    key: typeof key === 'string' ? key : 'first',
  };
}
