import { computed, signal } from '@preact/signals';
import { addLayer } from '../../lib/router/layers.ts';
import { isNarrow } from '../../lib/widths.ts';

const isAskedFor = signal(false);
let opener: HTMLElement | null = null;
let removeLayer = () => {};

/** Whether the sidebar covers the page. On wide screens it is beside the page instead. */
export const isDrawerOpen = computed(() => isAskedFor.value && isNarrow.value);

/** Opens the drawer. `from` gets the focus back when it closes. */
export function openDrawer(from: HTMLElement): void {
  opener = from;
  isAskedFor.value = true;
  removeLayer = addLayer(() => closeDrawer());
}

/** Closes the drawer. `isLeaving`: another page opens, which takes the focus itself. */
export function closeDrawer({ isLeaving = false } = {}): void {
  if (!isAskedFor.peek()) return;
  isAskedFor.value = false;
  removeLayer();
  const to = opener;
  opener = null;
  // An inert element cannot take the focus, so wait for the render that makes it active.
  if (!isLeaving) requestAnimationFrame(() => to?.focus());
}
