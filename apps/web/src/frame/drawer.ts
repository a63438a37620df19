import { computed, signal } from '@preact/signals';
import { isNarrow } from './widths.ts';

const isAskedFor = signal(false);
let opener: HTMLElement | null = null;

/** Whether the list of Hubs lies over the page. Where there is room it stands beside it instead. */
export const isDrawerOpen = computed(() => isAskedFor.value && isNarrow.value);

/** `from`: what opens it, and gets the focus back. */
export function openDrawer(from: HTMLElement): void {
  opener = from;
  isAskedFor.value = true;
}

/** `isLeaving`: to another page, which takes the focus itself. */
export function closeDrawer({ isLeaving = false } = {}): void {
  if (!isAskedFor.peek()) return;
  isAskedFor.value = false;
  const to = opener;
  opener = null;
  // What is inert takes no focus: first it has to be drawn anew.
  if (!isLeaving) requestAnimationFrame(() => to?.focus());
}
