import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isHandheld } from '../widths.ts';
import { linkKindOf, withParameters } from './urls.ts';

interface Route {
  path: string;
  query: URLSearchParams;
  /** The key of this history entry, so that a view can store its state, such as a scroll position. */
  key: string;
}

let entries = 0;
const here = signal<Route>(read());

export const route: ReadonlySignal<Route> = here;

/** The item whose panel is open, if any: `?open=msg_…`. */
export const openItemId = computed(() => here.value.query.get('open'));

interface EntryState {
  key: string;
  /** The number of entries, up to this one, in which the panel is open over the same page. */
  panels: number;
}

function newState(panels: number): EntryState {
  entries += 1;
  return { key: `${performance.timeOrigin}-${entries}`, panels };
}

function stateHere(): Partial<EntryState> {
  return (history.state ?? {}) as Partial<EntryState>;
}

/** Navigates within the app. With `replace`, or to the current URL, it replaces the history entry. */
export function navigate(to: string, { replace = false } = {}): void {
  whenArrived(() => goTo(new URL(to, location.href), replace));
}

function goTo(url: URL, replace: boolean): void {
  if (url.origin !== location.origin) return;
  const isSamePage = url.pathname === location.pathname;
  const isReplaced = replace || url.href === location.href;
  if (isReplaced && !isSamePage && isHandheld() && hasPanel(url)) enterPanel(url);
  else {
    const { panels = 0 } = stateHere();
    const isOver = isSamePage && hasPanel(url);
    const state = newState(!isOver ? 0 : isReplaced ? panels : panels > 0 || !hasPanel(location) ? panels + 1 : 0);
    // The entry of what covers the page, such as the sidebar, becomes the entry of the new page.
    if (isReplaced || layerEntries() > 0) history.replaceState(state, '', url);
    else history.pushState(state, '', url);
  }
  here.value = read();
}

const hasPanel = ({ search }: { search: string }) => new URLSearchParams(search).has('open');

/** Opens a URL with a panel in place of the current one, over a history entry without the panel to go back to. */
function enterPanel(url: URL): void {
  history.replaceState(newState(0), '', `${url.pathname}${searchWithPanel(url.searchParams, null)}`);
  history.pushState(newState(1), '', url);
}

/** Closes the panel. On phones and tablets, Back then does not open it again. */
export function closePanel(): void {
  const { panels = 0 } = stateHere();
  if (panels > 0 && isHandheld()) leaveEntries(panels + layerEntries());
  else navigate(withPanel(null), { replace: isHandheld() });
}

/** Returns the current URL with another `open` item, or none. */
export function withPanel(itemId: string | null): string {
  return `${here.value.path}${searchWithPanel(here.value.query, itemId)}`;
}

function searchWithPanel(search: URLSearchParams, itemId: string | null): string {
  const query = withParameters(search, { open: itemId, show: null, reply: null });
  return query.size === 0 ? '' : `?${query}`;
}

export function withQuery(query: URLSearchParams): string {
  return query.size === 0 ? here.value.path : `${here.value.path}?${query}`;
}

/** Handles clicks on links within the app. New tabs, downloads and other sites are left to the browser. */
export function followLinks(): void {
  if (history.state === null && hasPanel(location) && isHandheld()) enterPanel(new URL(location.href));
  here.value = read();
  addEventListener('popstate', () => {
    const next = read();
    // An entry of a layer has the key and the URL of the entry below.
    if (next.key !== here.peek().key || withQuery(next.query) !== withQuery(here.peek().query)) here.value = next;
    afterPopState();
  });
  afterPopState();
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

function focusPart(id: string): void {
  const part = document.getElementById(id);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus();
}

/** Returns whether a path opens in the workspace. One-time links and other documents need a page load. */
function isOurs(path: string): boolean {
  return linkKindOf(path) === undefined && !/^\/(?:api|app|offline)(?:\/|$)/.test(path);
}

/** Returns whether `followLinks` handles a URL. */
export function isOurPage(href: string): boolean {
  const url = URL.parse(href);
  return url?.origin === location.origin && isOurs(url.pathname);
}

function read(): Route {
  return { path: location.pathname, query: new URLSearchParams(location.search), key: stateHere().key ?? 'first' };
}

/** Returns the parameters of `path`, or null if it does not match. `/hubs/:hubId` matches `/hubs/hub_1`. */
export function match<Pattern extends string>(pattern: Pattern, path: string): Params<Pattern> | null {
  const [parts, texts] = [pattern.split('/'), path.split('/')];
  if (parts.length !== texts.length) return null;
  const params: Record<string, string> = {};
  for (const [n, part] of parts.entries()) {
    const text = texts[n] ?? '';
    if (!part.startsWith(':')) {
      if (part !== text) return null;
    } else {
      const decoded = decode(text);
      if (decoded === '') return null;
      params[part.slice(1)] = decoded;
    }
  }
  return params as Params<Pattern>;
}

type Params<Pattern extends string> = { [Name in NamesIn<Pattern>]: string };
type NamesIn<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? Name
    : never;

/** Decodes a path part. An invalid encoding becomes an empty string, which matches nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Layers over the page, the topmost last. Each has a history entry with the same URL, so that Back closes it. */
const layers: { close: () => void }[] = [];
/** Functions to call once the browser has gone back; `null` unless it is going back now. */
let waiting: (() => void)[] | null = null;
let moveTimer: ReturnType<typeof setTimeout> | undefined;
let syncTimer: ReturnType<typeof setTimeout> | undefined;
/** How long going back may take. */
const MOVE_MS = 2_000;
const SYNC_MS = 50;

/** Returns how many entries of layers there are up to the current history entry. */
export function layerEntries(): number {
  return (history.state as { layers?: number } | null)?.layers ?? 0;
}

/** While the component is mounted, Back calls `close`: on phones and tablets, or everywhere. */
export function useBackToClose(close: () => void, { isEverywhere = false } = {}): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => (isEverywhere || isHandheld() ? addLayer(() => latest.current()) : undefined), []);
}

/** Adds a layer that Back closes. A layer that then stays open gets its history entry back. Returns what removes it. */
export function addLayer(close: () => void): () => void {
  const layer = { close };
  layers.push(layer);
  syncSoon();
  return () => {
    const at = layers.indexOf(layer);
    if (at >= 0) layers.splice(at, 1);
    syncSoon();
  };
}

/** Waits for a layer that replaces another, such as the dialog of a menu item, which then takes its entry. */
function syncSoon(): void {
  clearTimeout(syncTimer);
  syncTimer = setTimeout(sync, SYNC_MS);
}

/** Adds the missing history entries of layers, and removes those of closed ones. */
function sync(): void {
  if (waiting) return;
  for (let n = layerEntries(); n < layers.length; n += 1) {
    history.pushState({ ...(history.state as object | null), layers: n + 1 }, '');
  }
  const closed = layerEntries() - layers.length;
  if (closed > 0) leaveEntries(closed);
}

export function leaveEntries(count: number): void {
  waiting = [];
  history.go(-count);
  moveTimer = setTimeout(arrive, MOVE_MS);
}

/** Runs this now or, since entries added while the browser goes back would be lost, once it has gone back. */
export function whenArrived(run: () => void): void {
  if (waiting) waiting.push(run);
  else run();
}

function arrive(): void {
  clearTimeout(moveTimer);
  const runs = waiting ?? [];
  waiting = null;
  for (const run of runs) run();
  syncSoon();
}

/** Closes the layers whose history entries the user has left. Call it after each navigation by the browser. */
function afterPopState(): void {
  if (!waiting) for (const { close } of layers.slice(layerEntries()).reverse()) close();
  arrive();
}
