import { computed, type ReadonlySignal, signal } from '@preact/signals';

interface Route {
  path: string;
  query: URLSearchParams;
  /** The key of this history entry, so that a view can store its state, such as a scroll position. */
  key: string;
}

let entries = 0;
const here = signal<Route>(read());

/** The current route. */
export const route: ReadonlySignal<Route> = here;

/** The item whose panel is open, if any: `?open=msg_…`. */
export const openItemId = computed(() => here.value.query.get('open'));

/** Navigates within the app. With `replace`, or to the current URL, it replaces the history entry. */
export function navigate(to: string, { replace = false } = {}): void {
  const url = new URL(to, location.href);
  if (url.origin !== location.origin) return;
  entries += 1;
  const state = { key: `${performance.timeOrigin}-${entries}` };
  if (replace || url.href === location.href) history.replaceState(state, '', url);
  else history.pushState(state, '', url);
  here.value = read();
}

/** Returns the current URL with another `open` item, or none. */
export function withPanel(itemId: string | null): string {
  const query = new URLSearchParams(here.value.query);
  if (itemId === null) query.delete('open');
  else query.set('open', itemId);
  query.delete('show');
  query.delete('reply');
  return withQuery(query);
}

/** Returns the current URL with another query. */
export function withQuery(query: URLSearchParams): string {
  return query.size === 0 ? here.value.path : `${here.value.path}?${query}`;
}

/**
 * Handles clicks on links within the app without a page load. Leaves new tabs, downloads and other sites to the
 * browser.
 */
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

/** Focuses a part of the page, such as its main content. The URL stays the same. */
function focusPart(id: string): void {
  const part = document.getElementById(id);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus();
}

/** Returns whether a path belongs to the app. Pages rendered by the server need a page load. */
function isOurs(path: string): boolean {
  return !/^\/(?:api|setup|join|reset|assets|app|offline)(?:\/|$)/.test(path);
}

/** Returns whether `followLinks` handles a URL. */
export function isOurPage(href: string): boolean {
  const url = URL.parse(href);
  return url?.origin === location.origin && isOurs(url.pathname);
}

function read(): Route {
  const { key } = (history.state ?? {}) as { key?: unknown };
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    key: typeof key === 'string' ? key : 'first',
  };
}
