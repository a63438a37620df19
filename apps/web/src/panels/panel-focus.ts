import { useEffect, useRef } from 'preact/hooks';
import { openItemId, place } from '../router/location.ts';

/** What had the focus last in the page that panels open beside or over. */
let lastInPage: HTMLElement | null = null;

// A page that a panel covers is inert, and loses the focus before any effect of the panel could see where it was.
addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest('#panel, dialog, [popover]')) return;
  if (target.closest('.app')) lastInPage = target;
});

/** Who has the focus when the panel closes, before all others. */
let heirs: readonly HTMLElement[] = [];

/** The rows of the page beside that of an item, the nearest first, those below it before those above it. */
export function rowsBeside(id: string): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>('#main :is([data-row], [data-note], [data-todo])')];
  const at = rows.findIndex(({ dataset }) => [dataset.row, dataset.note, dataset.todo].includes(id));
  return at < 0 ? [] : [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
}

/** What the panel shows is gone for good: as it closes, the first of these rows that is still there takes the focus. */
export function leaveFocusTo(rows: readonly HTMLElement[]): void {
  heirs = rows;
}

/** A panel that opens takes the focus; one that closes gives it back to what opened it, or to what leads to it again. */
export function usePanelFocus(): void {
  const id = openItemId.value;
  const shown = id === null ? null : `${id} ${place.value.query.get('show') ?? ''}`;
  const opened = useRef<{ id: string; by: HTMLElement | null } | null>(null);
  useEffect(() => {
    if (id !== null) {
      opened.current = { id, by: lastInPage };
      return whenDrawn(() => {
        const panel = document.querySelector<HTMLElement>('#panel');
        // A panel that has put it somewhere itself, such as into its composer, knows better.
        if (panel && !panel.contains(document.activeElement)) focusFirst([panel.querySelector('h2')]);
      });
    }
    const from = opened.current;
    opened.current = null;
    const beside = heirs;
    heirs = [];
    if (from === null) return;
    return whenDrawn(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) focusFirst(placesAfter(from, beside));
    });
  }, [shown]);
}

function* placesAfter(
  { id, by }: { id: string; by: HTMLElement | null },
  beside: readonly HTMLElement[],
): Generator<Element | null> {
  for (const row of beside) yield 'todo' in row.dataset ? row.querySelector('a') : row;
  yield by;
  yield* waysTo(id);
}

/** What opened it may have been drawn anew, or be out of the part of a feed that is drawn. */
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

/** What was inert takes the focus only once it is drawn anew. */
function whenDrawn(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
