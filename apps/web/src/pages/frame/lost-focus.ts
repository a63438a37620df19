import { route } from '../../lib/router/location.ts';
import { TABBABLE } from '../feed/row-keys.ts';

/** Most code that removes the element in use moves the focus itself, in one of the next frames. */
const PATIENCE_MS = 100;
/** A dialog or menu returns the focus to the element that opened it, if that is still there. */
const LAYERS = 'dialog, [popover]';

/** Moves the focus to what is next to the element in use if that is removed or disabled, so that keys go on from there. */
export function keepFocus(): void {
  let used: HTMLElement | null = null;
  let path = '';
  /** The elements around it, up to the page or panel, each with the index of the child that led there. */
  let around: { parent: Element; index: number }[] = [];
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest(LAYERS)) return;
    // The rows of conversations have ways of their own.
    used = target instanceof HTMLElement && !target.closest('[data-row]') ? target : null;
    ({ path } = route.peek());
    around = [];
    let child: Element | null = used;
    while (child?.parentElement && !child.matches('main, #panel')) {
      const parent: Element = child.parentElement;
      around.push({ parent, index: [...parent.children].indexOf(child) });
      child = parent;
    }
    if (!child?.matches('main, #panel')) used = null;
  });
  const restore = () => {
    // A new page has the focus at its heading.
    if (document.activeElement !== document.body || route.peek().path !== path) return;
    for (const [depth, { parent, index }] of around.entries()) {
      if (!parent.isConnected) continue;
      /** Leads to the same element of another row. */
      const way = around.slice(0, depth).map((each) => each.index);
      const [before, same, after] = [index - 1, index, index + 1].map((at) => stopIn(parent.children[at], way));
      const next = same ?? (parent.matches('[tabindex]') ? (parent as HTMLElement) : (before ?? after));
      next?.focus({ preventScroll: true });
      if (next) return;
    }
  };
  new MutationObserver(() => {
    if (!used || (used.isConnected && !used.matches(':disabled')) || document.querySelector('dialog[open]')) return;
    used = null;
    requestAnimationFrame(() => setTimeout(restore, PATIENCE_MS));
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

/** Returns the element at the end of the way, or else the first one that can have the focus. */
function stopIn(element: Element | undefined, way: readonly number[]): HTMLElement | undefined {
  const alike = way.reduceRight((parent, index) => parent?.children[index], element);
  const all = element ? [...(alike ? [alike] : []), element, ...element.querySelectorAll(TABBABLE)] : [];
  return all.find(
    (each): each is HTMLElement =>
      each instanceof HTMLElement && each.matches(TABBABLE) && !each.closest('[data-row]') && each.checkVisibility(),
  );
}
