import { useEffect, useRef } from 'preact/hooks';
import { openItemId, route } from '../../lib/router/location.ts';

/** The element of the page behind the panels that was focused last. */
let lastInPage: HTMLElement | null = null;

// A page behind a panel is inert: it loses focus before the panel's effects can see which element had it.
addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest('#panel, dialog, [popover]')) return;
  if (target.closest('.app')) lastInPage = target;
});

/** The elements to try first when the focus moves after the panel closes. */
let nextInFocus: readonly HTMLElement[] = [];

/** Returns the rows around the row of an item, nearest first: those below it, then those above it. */
export function rowsBeside(id: string): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>('#main :is([data-row], [data-note], [data-todo])')];
  const at = rows.findIndex(({ dataset }) => [dataset.row, dataset.note, dataset.todo].includes(id));
  return at < 0 ? [] : [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
}

/** When the panel closes because its item was deleted, the first of these rows that still exists gets the focus. */
export function leaveFocusTo(rows: readonly HTMLElement[]): void {
  nextInFocus = rows;
}

/** Focuses a panel when it opens. When it closes, focuses the element that opened it, or another that leads to it. */
export function usePanelFocus(): void {
  const id = openItemId.value;
  const address = id === null ? null : `${id} ${route.value.query.get('show') ?? ''}`;
  const opened = useRef<{ id: string; by: HTMLElement | null } | null>(null);
  useEffect(() => {
    if (id !== null) {
      opened.current = { id, by: lastInPage };
      return whenDrawn(() => {
        const panel = document.querySelector<HTMLElement>('#panel');
        // Leave the focus where the panel has put it, for example in its composer.
        if (panel && !panel.contains(document.activeElement)) focusFirst([panel.querySelector('h2')]);
      });
    }
    const from = opened.current;
    opened.current = null;
    const beside = nextInFocus;
    nextInFocus = [];
    if (from === null) return;
    return whenDrawn(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) focusFirst(focusCandidates(from, beside));
    });
  }, [address]);
}

function* focusCandidates(
  { id, by }: { id: string; by: HTMLElement | null },
  beside: readonly HTMLElement[],
): Generator<Element | null> {
  for (const row of beside) yield 'todo' in row.dataset ? row.querySelector('a') : row;
  yield by;
  yield* waysTo(id);
}

/** Finds substitutes for the opener, which may have been rendered again or be outside the drawn part of a feed. */
function* waysTo(id: string): Generator<Element | null> {
  const name = CSS.escape(id);
  yield document.querySelector(`#main a[href*="open=${name}"]`);
  const row = document.querySelector<HTMLElement>(`#main :is([data-row="${name}"], [data-item="${name}"])`);
  if (row) row.tabIndex = -1;
  yield row;
  yield document.querySelector('#main [role="log"]');
  const head = document.querySelector<HTMLElement>('#main h1');
  if (head) head.tabIndex = -1;
  yield head;
}

function focusFirst(elements: Iterable<Element | null>): void {
  for (const element of elements) {
    if (!(element instanceof HTMLElement) || !element.isConnected) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/** Waits for the next frame, since an element that was inert can be focused only after it is rendered again. */
function whenDrawn(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
