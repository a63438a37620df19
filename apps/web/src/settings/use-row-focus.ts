import type { ApiKey } from '@hub/contract';
import { useEffect, useRef } from 'preact/hooks';
import type { Deed } from './deeds.ts';

/** The key that a deed is about, and the rows as they stood when it began. */
interface About {
  key: ApiKey;
  rows: readonly string[];
}

/**
 * What one does with a key can take its row away, and with it the button that asked for it. Then the focus goes to the row of
 * the key that came in its place, to the next row, or to the heading, and not to nothing.
 */
export function useRowFocus(deed: Deed | null, keys: readonly ApiKey[] | null): void {
  const about = useRef<About | null>(null);
  const key = deed && 'key' in deed ? deed.key : null;
  useEffect(() => {
    if (key) about.current ??= { key, rows: rowIds() };
  }, [key]);
  useEffect(() => {
    if (deed !== null || about.current === null) return;
    if (document.activeElement === document.body) placeAfter(about.current)?.focus();
  }, [deed, keys]);
  useEffect(() => {
    if (deed !== null) return;
    // What somebody does after it is about something else.
    const forget = () => {
      about.current = null;
    };
    addEventListener('pointerdown', forget);
    addEventListener('keydown', forget);
    return () => {
      removeEventListener('pointerdown', forget);
      removeEventListener('keydown', forget);
    };
  }, [deed]);
}

function rowIds(): string[] {
  return [...document.querySelectorAll<HTMLElement>('tr[data-key]')].map(({ dataset }) => dataset.key ?? '');
}

function placeAfter({ key: { id, successorId }, rows }: About): HTMLElement | null {
  const at = rows.indexOf(id);
  const near = at === -1 ? [] : [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
  for (const candidate of [id, successorId, ...near]) {
    const name = candidate && document.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(candidate)}"] .key-open`);
    if (name) return name;
  }
  const head = document.querySelector<HTMLElement>('#main h1');
  if (head) head.tabIndex = -1;
  return head;
}
