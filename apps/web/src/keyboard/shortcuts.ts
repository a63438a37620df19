import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The time allowed between the keys of a pair such as `g s`. */
const PAIR_MS = 1_500;
const OFF_KEY = 'hub.shortcuts';

export interface Shortcut {
  /** A key as named by `KeyboardEvent.key`, such as `j`, `Enter` or `Shift+G`, or a pair such as `g s`. */
  keys: string;
  /** The label in the dialog that `?` opens. */
  does: string;
  run: () => void;
}

const layers = signal<readonly (readonly Shortcut[])[]>([]);
let first: { key: string; until: number } | null = null;

/** All active shortcuts, the innermost layer first. */
export const shortcuts: ReadonlySignal<readonly (readonly Shortcut[])[]> = layers;

/** Activates shortcuts while the component is mounted. A later one overrides an earlier one with the same keys. */
export function useShortcuts(list: readonly Shortcut[]): void {
  const latest = useRef(list);
  latest.current = list;
  const names = list.map(({ keys, does }) => `${keys}\t${does}`).join('\n');
  useEffect(() => {
    const layer = latest.current.map((shortcut, n) => ({ ...shortcut, run: () => latest.current[n]?.run() }));
    layers.value = [layer, ...layers.peek()];
    return () => {
      layers.value = layers.peek().filter((other) => other !== layer);
    };
  }, [names]);
}

/** Whether single-key shortcuts are on. Users of speech input may need them off (WCAG 2.2, 2.1.4). */
export const areShortcutsOn = signal(localStorage.getItem(OFF_KEY) !== 'off');

export function setShortcutsOn(isOn: boolean): void {
  areShortcutsOn.value = isOn;
  if (isOn) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, 'off');
}

/** Starts handling shortcuts; call it once. Dialogs and menus stop the propagation of their keys. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isEscape = event.key === 'Escape';
    if (!isEscape && (!areShortcutsOn.peek() || isTyping(event.target))) return;
    // On a link or button, Enter only activates it.
    if (event.key === 'Enter' && isPressable(event.target)) return;
    const key = event.shiftKey && /^[A-Z]$/.test(event.key) ? `Shift+${event.key}` : event.key;
    const pair = first && first.until > event.timeStamp ? `${first.key} ${key}` : null;
    first = null;
    const found = (pair && find(pair)) || find(key);
    if (found) {
      event.preventDefault();
      found.run();
    } else if (layers.peek().some((layer) => layer.some(({ keys }) => keys.startsWith(`${key} `)))) {
      first = { key, until: event.timeStamp + PAIR_MS };
    }
  });
}

function find(keys: string): Shortcut | undefined {
  for (const layer of layers.peek()) {
    const found = layer.find((shortcut) => shortcut.keys === keys);
    if (found) return found;
  }
  return undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, summary, [role="button"]') !== null;
}
