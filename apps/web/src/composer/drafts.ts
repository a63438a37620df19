import { useEffect, useRef, useState } from 'preact/hooks';
import { onFlush, readStored, removeStored, storageKey, store as storeText } from '../session/unsaved-text.ts';

const SOON_MS = 250;

/**
 * A draft kept in this browser, which survives a reload. Tabs adopt each other's text unless they have text of their
 * own, and a tab clears only the text that it wrote last.
 */
export function useDraft(
  personId: string,
  draftKey: string,
): { text: string; write: (text: string) => void; clear: () => void } {
  const name = storageKey('draft', personId, draftKey);
  const [text, setText] = useState(() => stored(name));
  const now = useRef(text);
  const written = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const keep = () => {
    clearTimeout(timer.current);
    if (now.current === written.current) return;
    store(name, now.current);
    written.current = now.current;
  };
  const write = (next: string) => {
    now.current = next;
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(keep, SOON_MS);
  };
  const clear = () => {
    clearTimeout(timer.current);
    if (stored(name) === written.current) store(name, '');
    now.current = '';
    written.current = '';
    setText('');
  };
  useEffect(() => {
    const adopt = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key !== name || (oldValue ?? '') !== now.current) return;
      // A tab with its own text does not adopt another tab's. Text that another tab has sent or cleared is removed here
      // too; otherwise it could be sent twice.
      if (newValue !== null && document.hasFocus()) return;
      now.current = newValue ?? '';
      written.current = now.current;
      setText(now.current);
    };
    addEventListener('storage', adopt);
    addEventListener('pagehide', keep);
    const stopWriting = onFlush(keep);
    return () => {
      stopWriting();
      removeEventListener('storage', adopt);
      removeEventListener('pagehide', keep);
      keep();
    };
  }, [name]);
  return { text, write, clear };
}

/** Returns a stored draft, for views in which its composer is no longer shown. */
export function draftOf(personId: string, draftKey: string): string {
  return stored(storageKey('draft', personId, draftKey));
}

function stored(name: string): string {
  return readStored(name) ?? '';
}

function store(name: string, text: string): void {
  if (text === '') removeStored(name);
  else storeText(name, text);
}
