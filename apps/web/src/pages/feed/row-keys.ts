import type { Item, Message } from '@hub/contract';
import { useEffect } from 'preact/hooks';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { copyLink } from '../../ui/clipboard.ts';
import { type Changes, openEmojiPicker, openThread, reply, withChanges } from './message-actions.ts';
import { type RowScope, rowElement } from './row-scope.ts';

export const TABBABLE = 'a[href], button:not([disabled]), input, textarea, select, summary, [tabindex="0"]';

/** All scopes on the page: shortcuts go to the one with the focus, or else to the first, which is the page's own. */
const scopes: RowScope[] = [];

/** The shortcuts for messages. Each shortcut runs once, however many lists are on the page. `isOn`: whether they apply. */
export function useRowKeys(scope: RowScope, isOn = true): void {
  const workspace = useWorkspace();
  useEffect(() => {
    scopes.push(scope);
    return () => {
      scopes.splice(scopes.indexOf(scope), 1);
    };
  }, [scope]);
  const onItem = (run: (item: Item, scope: RowScope) => void) => () => {
    const selected = selectedItem(workspace);
    if (selected) run(selected.item, selected.scope);
  };
  const onMessage = (run: (message: Message, scope: RowScope) => void) =>
    onItem((item, active) => {
      if (item.kind === 'message') run(item, active);
    });
  const onPresent = (run: (message: Message, scope: RowScope) => void) =>
    onMessage((message, active) => {
      if (message.deletedAt === null) run(message, active);
    });
  const onChange = (run: (changes: Changes, message: Message, scope: RowScope) => void) =>
    onPresent((message, active) => {
      withChanges((changes) => run(changes, message, active));
    });
  const convertTo = (to: 'todo' | 'note') =>
    onChange(({ convert }, message, active) => void convert(workspace, active, message, { to }));
  const shortcuts = {
    j: () => move(1),
    k: () => move(-1),
    Enter: onItem(openItem),
    r: onItem(reply),
    e: onPresent((message, active) => openEmojiPicker(active, message)),
    t: convertTo('todo'),
    n: convertTo('note'),
    u: onChange(({ markUnread }, message, { kind }) => {
      if (kind !== 'thread') void markUnread(workspace, message);
    }),
    y: onItem(copyLink),
    ...(scope.kind !== 'stream' && { c: () => focusComposer(focusedScope()) }),
    'Shift+G': goToNewest,
  };
  useShortcuts(isOn ? shortcuts : {});
}

/** Also takes the selection off a row that is out of view now, where the next key would act on it. */
function goToNewest(): void {
  const scope = focusedScope();
  if (!scope) return;
  scope.toNewest();
  scope.chosen.value = null;
  if (document.activeElement?.closest('[data-row]')) scope.root()?.focus({ preventScroll: true });
}

function focusedScope(): RowScope | null {
  const holds = (scope: RowScope) => scope.root()?.contains(document.activeElement) === true;
  return scopes.find(holds) ?? scopes.find(({ kind }) => kind !== 'thread') ?? scopes[0] ?? null;
}

/** Returns the row that shortcuts act on: the one with the focus, or the selected one. */
function activeRow(scope: RowScope): string | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (row && scope.root()?.contains(row)) return row.dataset.row ?? null;
  return scope.chosen.peek();
}

/** Returns the item that shortcuts act on now, and its scope. */
export function selectedItem({ items }: Workspace): { item: Item; scope: RowScope } | null {
  const scope = focusedScope();
  const id = scope && activeRow(scope);
  const item = id ? items.get(id).peek() : undefined;
  return scope && item ? { item, scope } : null;
}

function move(step: 1 | -1): void {
  const scope = focusedScope();
  if (!scope) return;
  const ids = scope.ids();
  const here = activeRow(scope);
  const index = here === null ? -1 : ids.indexOf(here);
  const first = scope.kind === 'stream' ? firstInView : lastInView;
  const next = index < 0 ? (step > 0 && scope.firstNew()) || first(scope, ids) : ids[index + step];
  if (next !== undefined) focusRow(scope, next);
}

export function openItem(item: Item, scope: RowScope): void {
  if (scope.open) scope.open(item);
  else if (item.kind === 'message') openThread(item);
}

/** Returns the newest visible row of a feed that has the newest row at the bottom, where keyboard navigation starts. */
function lastInView(scope: RowScope, ids: readonly string[]): string | undefined {
  const bottom = scope.root()?.getBoundingClientRect().bottom ?? innerHeight;
  const rows = [...(scope.root()?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const visibleRows = rows.filter((row) => row.getBoundingClientRect().top < bottom - 20);
  return visibleRows.at(-1)?.dataset.row ?? ids.at(-1);
}

/** Like `lastInView`, for a feed that has the newest row at the top. */
function firstInView(scope: RowScope, ids: readonly string[]): string | undefined {
  const top = scope.root()?.parentElement?.getBoundingClientRect().top ?? 0;
  const rows = [...(scope.root()?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  return rows.find((row) => row.getBoundingClientRect().top >= top)?.dataset.row ?? ids[0];
}

/** Selects a row, scrolls it into view and focuses it. */
export function focusRow(scope: RowScope, id: string): void {
  scope.chosen.value = id;
  scope.reveal(id);
  const row = rowElement(scope, id);
  if (!row) {
    // It is drawn in a moment.
    requestAnimationFrame(() => rowElement(scope, id) && focusRow(scope, id));
    return;
  }
  // It renders as selected a moment later; the focus does not wait for that.
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}

/** Moves the focus from the composer to the selected row if it is in view, or else to the newest visible one. */
export function focusRows(scope: RowScope): void {
  const ids = scope.ids();
  const current = scope.chosen.peek();
  const here = current !== null && isInView(scope, current) ? current : lastInView(scope, ids);
  if (here === undefined) scope.root()?.focus({ preventScroll: true });
  else focusRow(scope, here);
}

function isInView(scope: RowScope, id: string): boolean {
  const [row, feed] = [rowElement(scope, id), scope.root()].map((element) => element?.getBoundingClientRect());
  return row !== undefined && feed !== undefined && row.bottom > feed.top && row.top < feed.bottom;
}

export function focusComposer(scope: RowScope | null): void {
  const within = scope?.root()?.closest('.panel, .main') ?? document;
  within.querySelector<HTMLElement>('form.composer textarea')?.focus();
}

/**
 * Moves the focus with the Tab and arrow keys, whether single-key shortcuts are on or not. Tab goes through what is
 * outside the rows and through the selected row and its controls, and leaves after the last one. Escape returns from a
 * control to its row. `end` is an element after all rows, from which the browser finds the next stop.
 */
export function moveFocus(event: KeyboardEvent, scope: RowScope, end: HTMLElement | null): void {
  const root = scope.root();
  const active = document.activeElement;
  const { key, shiftKey } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || !root || !active) return;
  if (key === 'Escape') {
    const row = active.closest<HTMLElement>('[data-row]');
    if (!row || row === active || !root.contains(row) || event.defaultPrevented) return;
    row.focus({ preventScroll: true });
    event.preventDefault();
    return;
  }
  if (key !== 'Tab') {
    if (!shiftKey && (active === root || active.matches('[data-row]')) && moveByArrow(scope, key))
      event.preventDefault();
    return;
  }
  if (active === root && shiftKey) return;
  const current = activeRow(scope);
  const row = current === null ? null : rowElement(scope, current);
  const stops = [...root.querySelectorAll<HTMLElement>(`[data-row], ${TABBABLE}`)].filter((stop) => {
    const own = stop.closest('[data-row]');
    return (own === null || own === row) && stop.checkVisibility();
  });
  const next = stops[stops.indexOf(active as HTMLElement) + (shiftKey ? -1 : 1)];
  if (next) {
    if (next === row) next.tabIndex = -1;
    next.focus();
    event.preventDefault();
  } else if (shiftKey) root.focus({ preventScroll: true });
  else end?.focus({ preventScroll: true });
}

function moveByArrow(scope: RowScope, key: string): boolean {
  const ids = scope.ids();
  const edge = key === 'Home' ? ids[0] : key === 'End' ? ids.at(-1) : undefined;
  if (key === 'ArrowDown') move(1);
  else if (key === 'ArrowUp') move(-1);
  else if (edge !== undefined) focusRow(scope, edge);
  else return false;
  return true;
}

/** Makes Shift+Tab enter the rows as a single stop, not at the last button of the last row. */
export function enterAsOne(event: FocusEvent, scope: RowScope): void {
  const root = scope.root();
  const { target, relatedTarget } = event;
  if (!root || !isTabbing || !(target instanceof HTMLElement) || !target.closest('[data-row]')) return;
  if (relatedTarget instanceof Node && root.contains(relatedTarget)) return;
  const current = scope.chosen.peek();
  const row = current === null ? null : rowElement(scope, current);
  (row ?? root).focus({ preventScroll: true });
}

let isTabbing = false;
addEventListener(
  'keydown',
  ({ key }) => {
    isTabbing = key === 'Tab';
  },
  true,
);
addEventListener(
  'pointerdown',
  () => {
    isTabbing = false;
  },
  true,
);
