import { type ReadonlySignal, signal } from '@preact/signals';

/** Matches the style sheet: below this width, the sidebar is a drawer. */
export const isNarrow = matching('(max-width: 47.99rem)');
/** Matches the style sheet: below this width, a panel covers the page. */
export const isSheet = matching('(max-width: 68.74rem)');

function matching(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', () => {
    matches.value = list.matches;
  });
  return matches;
}
