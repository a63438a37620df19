import type { RefObject } from 'preact';
import { useShortcuts } from '../keyboard/shortcuts.ts';

const ROW = 'article[data-item]';

/** `j` and `k` go from row to row of a feed, Enter opens the one that is chosen. */
export function useRoving(feed: RefObject<HTMLElement | null>): void {
  const move = (by: 1 | -1) => {
    const rows = [...(feed.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const next = here < 0 ? firstSeen(rows, feed.current) : rows[here + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    { keys: 'j', does: 'Next', run: () => move(1) },
    { keys: 'k', does: 'Previous', run: () => move(-1) },
    {
      keys: 'Enter',
      does: 'Open',
      run: () => {
        const { activeElement } = document;
        if (activeElement?.matches(ROW)) activeElement.querySelector<HTMLElement>('a.when')?.click();
        else if (activeElement instanceof HTMLElement) activeElement.click();
      },
    },
  ]);
}

function firstSeen(rows: readonly HTMLElement[], feed: HTMLElement | null): HTMLElement | undefined {
  const top = feed?.getBoundingClientRect().top ?? 0;
  return rows.find((row) => row.getBoundingClientRect().top >= top) ?? rows[0];
}
