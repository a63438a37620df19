import { useEffect, useRef } from 'preact/hooks';
import { isHandheld } from '../widths.ts';

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

/** Goes back by this many history entries. */
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
export function afterPopState(): void {
  if (!waiting) for (const { close } of layers.slice(layerEntries()).reverse()) close();
  arrive();
}
