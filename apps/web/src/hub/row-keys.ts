import type { Item, Message } from '@hub/contract';
import { useEffect } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { askForEmoji, convert, copyLink, openThread, response } from './message-actions.ts';
import { type RowScope, rowElement } from './row-scope.ts';

const TABBABLE = 'a[href], button:not([disabled]), input, textarea, select, summary, [tabindex="0"]';

/** All that are on the page: keys mean the one with the focus in it, or else the first, which is the page's own. */
const scopes: RowScope[] = [];

/** The keys of messages. However many lists of them are on the page, each key does its thing once. */
export function useRowKeys(scope: RowScope): void {
  const workspace = useWorkspace();
  const isStream = scope.kind === 'stream';
  useEffect(() => {
    scopes.push(scope);
    return () => {
      scopes.splice(scopes.indexOf(scope), 1);
    };
  }, [scope]);
  const onItem = (run: (item: Item, scope: RowScope) => void) => () => {
    const active = scopeInFocus();
    const id = active && hereIn(active);
    const item = id ? workspace.items.get(id).peek() : undefined;
    if (active && item) run(item, active);
  };
  const onMessage = (run: (message: Message, scope: RowScope) => void) =>
    onItem((item, active) => {
      if (item.kind === 'message') run(item, active);
    });
  const onPresent = (run: (message: Message, scope: RowScope) => void) =>
    onMessage((message, active) => {
      if (message.deletedAt === null) run(message, active);
    });
  useShortcuts([
    { keys: 'j', does: isStream ? 'Next' : 'Next message', run: () => move(1) },
    { keys: 'k', does: isStream ? 'Previous' : 'Previous message', run: () => move(-1) },
    { keys: 'Enter', does: isStream ? 'Open' : 'Open the thread', run: onItem(openItem) },
    { keys: 'r', does: 'Reply', run: onMessage(response) },
    { keys: 'e', does: 'React', run: onPresent((message, active) => askForEmoji(active, message)) },
    {
      keys: 't',
      does: 'Make a to-do',
      run: onPresent((message, active) => void convert(workspace, active, message, { to: 'todo' })),
    },
    {
      keys: 'n',
      does: 'Make a note',
      run: onPresent((message, active) => void convert(workspace, active, message, { to: 'note' })),
    },
    { keys: 'y', does: 'Copy link', run: onItem(copyLink) },
    ...(isStream ? [] : [{ keys: 'c', does: 'Write', run: () => focusComposer(scopeInFocus()) }]),
    { keys: 'Shift+G', does: 'Newest', run: () => scopeInFocus()?.toNewest() },
  ]);
}

function scopeInFocus(): RowScope | null {
  const holds = (scope: RowScope) => scope.root()?.contains(document.activeElement) === true;
  return scopes.find(holds) ?? scopes.find(({ kind }) => kind !== 'thread') ?? scopes[0] ?? null;
}

/** The row that keys are about: that with the focus in it, or the one that was chosen. */
function hereIn(scope: RowScope): string | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (row && scope.root()?.contains(row)) return row.dataset.row ?? null;
  return scope.chosen.peek();
}

function move(step: 1 | -1): void {
  const scope = scopeInFocus();
  if (!scope) return;
  const ids = scope.ids();
  const here = hereIn(scope);
  const place = here === null ? -1 : ids.indexOf(here);
  const first = scope.kind === 'stream' ? firstInView : lastInView;
  const next = place < 0 ? first(scope, ids) : ids[place + step];
  if (next !== undefined) focusRow(scope, next);
}

function openItem(item: Item, scope: RowScope): void {
  if (scope.open) scope.open(item);
  else if (item.kind === 'message') openThread(item);
}

/** Whoever begins begins with the newest that he sees: here, below. */
function lastInView(scope: RowScope, ids: readonly string[]): string | undefined {
  const bottom = scope.root()?.getBoundingClientRect().bottom ?? innerHeight;
  const rows = [...(scope.root()?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const seen = rows.filter((row) => row.getBoundingClientRect().top < bottom - 20);
  return seen.at(-1)?.dataset.row ?? ids.at(-1);
}

/** Where the newest stands on top. */
function firstInView(scope: RowScope, ids: readonly string[]): string | undefined {
  const top = scope.root()?.parentElement?.getBoundingClientRect().top ?? 0;
  const rows = [...(scope.root()?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  return rows.find((row) => row.getBoundingClientRect().top >= top)?.dataset.row ?? ids[0];
}

/** Chooses a row, brings it into view and gives it the focus. */
export function focusRow(scope: RowScope, id: string): void {
  scope.chosen.value = id;
  scope.reveal(id);
  const row = rowElement(scope, id);
  if (!row) return;
  // It is drawn as the chosen one a moment later; the focus does not wait for it.
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}

/** Out of the composer, to the row that one was at if that is in view, or else to the newest that is. */
export function focusRows(scope: RowScope): void {
  const ids = scope.ids();
  const chosen = scope.chosen.peek();
  const here = chosen !== null && isInView(scope, chosen) ? chosen : lastInView(scope, ids);
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
 * The rows are one stop on the way of the Tab key: it enters the chosen one, goes through what can be pressed there and leaves
 * behind its end. `end` stands behind all rows; from there the browser finds what is next.
 */
export function tabThroughRow(event: KeyboardEvent, scope: RowScope, end: HTMLElement | null): void {
  const root = scope.root();
  const active = document.activeElement;
  if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey || !root || !active) return;
  const chosen = scope.chosen.peek();
  const row =
    active === root ? (chosen === null ? null : rowElement(scope, chosen)) : active.closest<HTMLElement>('[data-row]');
  if (active === root && event.shiftKey) return;
  const stops = row
    ? [row, ...[...row.querySelectorAll<HTMLElement>(TABBABLE)].filter((stop) => stop.checkVisibility())]
    : [];
  const next = stops[stops.indexOf(active as HTMLElement) + (event.shiftKey ? -1 : 1)];
  if (next) {
    if (next === row) next.tabIndex = -1;
    next.focus();
    event.preventDefault();
  } else if (event.shiftKey) root.focus({ preventScroll: true });
  else end?.focus({ preventScroll: true });
}

/** Whoever comes back with Shift and Tab comes to the rows as one, and not to the last button of the last of them. */
export function enterAsOne(event: FocusEvent, scope: RowScope): void {
  const root = scope.root();
  const { target, relatedTarget } = event;
  if (!root || !isTabbing || target === root || !(target instanceof HTMLElement)) return;
  if (relatedTarget instanceof Node && root.contains(relatedTarget)) return;
  const chosen = scope.chosen.peek();
  const row = chosen === null ? null : rowElement(scope, chosen);
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
