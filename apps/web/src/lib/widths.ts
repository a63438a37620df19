import { type ReadonlySignal, signal } from '@preact/signals';

/** Matches the style sheet: below this width, the sidebar is a drawer. */
export const isNarrow = matching('(max-width: 47.99rem)');
/** Matches the style sheet: below this width, a panel covers the page. */
export const isSheet = matching('(max-width: 68.74rem)');
const isTouchOnly = matching('(hover: none) and (pointer: coarse)');

/** Whether the user types on a touch keyboard, which has no Shift+Enter and covers part of the page. */
export function hasScreenKeyboard(): boolean {
  return isTouchOnly.value;
}

/** Whether this is a phone or a tablet, where Back closes what covers the page. */
export function isHandheld(): boolean {
  return isNarrow.peek() || isTouchOnly.peek();
}

function matching(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', () => {
    matches.value = list.matches;
  });
  return matches;
}

export const hasNoHover = () => matchMedia('(hover: none)').matches;
