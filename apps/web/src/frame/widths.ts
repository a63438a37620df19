import { type ReadonlySignal, signal } from '@preact/signals';

/** As in the style sheet: below it, the list of Hubs is a drawer. */
export const isNarrow = matching('(max-width: 47.99rem)');
/** As in the style sheet: below it, a panel lies over the page. */
export const isSheet = matching('(max-width: 68.74rem)');

function matching(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', () => {
    matches.value = list.matches;
  });
  return matches;
}
