import { useEffect, useRef } from 'preact/hooks';
import { openItemId, place } from '../router/location.ts';

/** What had the focus last in the page that panels open beside or over. */
let lastInPage: HTMLElement | null = null;

// A page that a panel covers is inert, and loses the focus before any effect of the panel could see where it was.
addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest('#panel, dialog, [popover]')) return;
  if (target.closest('.app')) lastInPage = target;
});

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
    if (from === null) return;
    return whenDrawn(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) focusFirst([from.by, ...waysTo(from.id)]);
    });
  }, [shown]);
}

/** What opened it may have been drawn anew, or be out of the part of a feed that is drawn. */
function* waysTo(id: string): Generator<Element | null> {
  const name = CSS.escape(id);
  yield document.querySelector(`#main a[href*="open=${name}"]`);
  const row = document.querySelector<HTMLElement>(`#main :is([data-row="${name}"], [data-item="${name}"])`);
  if (row) row.tabIndex = -1;
  yield row;
  yield document.querySelector('#main [role="log"]');
  yield document.querySelector('#main h1');
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
