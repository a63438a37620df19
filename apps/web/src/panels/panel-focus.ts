import { useEffect, useRef } from 'preact/hooks';
import { openItemId, place } from '../router/location.ts';

/** What had the focus last outside of panels: sheet and composer take it away from there before anybody could ask. */
let outside: Element | null = null;
addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest('#panel')) outside = target;
});

/** A panel that opens takes the focus; one that closes gives it back to what opened it, or to the row of its item. */
export function usePanelFocus(): void {
  const id = openItemId.value;
  const shown = id === null ? null : `${id} ${place.value.query.get('show') ?? ''}`;
  const opener = useRef<Element | null>(null);
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (id !== null) {
      opener.current = outside;
      last.current = id;
      return whenDrawn(() => {
        const panel = document.querySelector<HTMLElement>('#panel');
        // A panel that has put it somewhere itself, such as into its composer, knows better.
        if (panel && !panel.contains(document.activeElement)) panel.querySelector<HTMLElement>('h2')?.focus();
      });
    }
    if (last.current === null) return;
    const back = [opener.current, document.getElementById(last.current), document.querySelector('#main h1')];
    last.current = null;
    return whenDrawn(() => {
      if (document.activeElement && document.activeElement !== document.body) return;
      for (const element of back) {
        if (!(element instanceof HTMLElement) || !element.isConnected || element === document.body) continue;
        element.focus();
        if (document.activeElement === element) return;
      }
    });
  }, [shown]);
}

function whenDrawn(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
