import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readStored, writeStored } from '../stored.ts';

/** The time allowed between the keys of a pair such as `g s`. */
const PAIR_MS = 1_500;
const OFF_KEY = 'hub.shortcuts';

/**
 * Shortcuts and what each does: a key as named by `KeyboardEvent.key`, such as `j`, `Enter` or `Shift+G`, a pair such as
 * `g s`, or a key with Control, on a Mac with Command: `Mod+k`. The latter also works while typing. The dialog that `?`
 * opens has a list of its own.
 */
type Shortcuts = Readonly<Record<string, () => unknown>>;

const layers = signal<readonly Shortcuts[]>([]);
let first: { key: string; until: number } | null = null;

/** Activates shortcuts while the component is mounted. A later one overrides an earlier one with the same keys. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = Object.keys(shortcuts).join('\n');
  // Before the paint: a key pressed as soon as something is visible must not go to what is below it.
  useLayoutEffect(() => {
    const runs = Object.keys(latest.current).map((keys) => [keys, () => latest.current[keys]?.()]);
    const layer: Shortcuts = Object.fromEntries(runs);
    layers.value = [layer, ...layers.peek()];
    return () => {
      layers.value = layers.peek().filter((other) => other !== layer);
    };
  }, [names]);
}

/** Whether single-key shortcuts are on. Users of speech input may need them off (WCAG 2.2, 2.1.4). */
export const areShortcutsOn = signal(readStored(OFF_KEY) !== 'off');

export function setShortcutsOn(isOn: boolean): void {
  areShortcutsOn.value = isOn;
  writeStored(OFF_KEY, isOn ? null : 'off');
}

/** The text typed while a component that takes the focus was loading; `null` if none is. */
let typedAhead: string | null = null;

/** How long a field may take to get the focus once its component has loaded. */
const FOCUS_WITHIN_MS = 200;

/** Keeps what is typed, for the field that gets the focus after the returned function is called. */
export function typeAhead(): () => void {
  typedAhead = '';
  return () => {
    const enter = () => {
      // The heading of a new page may get the focus first.
      if (isField(document.activeElement)) stop();
    };
    const stop = () => {
      clearTimeout(timer);
      removeEventListener('focusin', enter);
      enterTyped();
    };
    const timer = setTimeout(stop, FOCUS_WITHIN_MS);
    addEventListener('focusin', enter);
    enter();
  };
}

function isField(element: Element | null): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

function enterTyped(): void {
  const [text, field] = [typedAhead, document.activeElement];
  typedAhead = null;
  if (!text || !isField(field)) return;
  // Fields for e-mail addresses have no selection.
  if (field.selectionStart === null) field.value += text;
  else field.setRangeText(text, field.selectionStart, field.selectionEnd ?? field.selectionStart, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Starts handling shortcuts; call it once. Dialogs and menus stop the propagation of their keys. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    if (event.ctrlKey || event.metaKey) {
      const command = isCommand(event) ? find(`Mod+${event.key.toLowerCase()}`) : undefined;
      if (command) event.preventDefault();
      command?.();
      return;
    }
    const isEscape = event.key === 'Escape';
    if (!isEscape && (!areShortcutsOn.peek() || isTyping(event.target))) return;
    if (typedAhead !== null && event.key.length === 1) {
      typedAhead += event.key;
      event.preventDefault();
      return;
    }
    // On a link or button, Enter only activates it.
    if (event.key === 'Enter' && isPressable(event.target)) return;
    const key = event.shiftKey && /^[A-Z]$/.test(event.key) ? `Shift+${event.key}` : event.key;
    const pair = first && first.until > event.timeStamp ? `${first.key} ${key}` : null;
    first = null;
    const shortcut = (pair && find(pair)) || find(key);
    if (shortcut) {
      event.preventDefault();
      shortcut();
    } else if (layers.peek().some((layer) => Object.keys(layer).some((keys) => keys.startsWith(`${key} `)))) {
      first = { key, until: event.timeStamp + PAIR_MS };
    }
  });
}

/** On a Mac, Control with a letter edits text. */
const isMac = /^(?:Mac|iP)/.test(navigator.platform);
/** The key of `Mod+k`, as in `aria-keyshortcuts`. */
export const COMMAND_KEY = isMac ? 'Meta' : 'Control';

function isCommand({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !shiftKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}

function find(keys: string): (() => unknown) | undefined {
  return layers.peek().find((layer) => Object.hasOwn(layer, keys))?.[keys];
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, summary, [role="button"]') !== null;
}
