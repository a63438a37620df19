import { useEffect, useRef, useState } from 'preact/hooks';
import { drop, keep as keepWords, keptName, onWriteDown, readKept } from '../session/unsaved-text.ts';

const SOON_MS = 250;

/**
 * What is being written, kept in this browser: it survives a reload. Tabs follow each other as far as one has not written anything
 * else there, and do not take each other's text away: only what this tab has written last is cleared by it.
 */
export function useDraft(
  personId: string,
  draftKey: string,
): { text: string; write: (text: string) => void; clear: () => void } {
  const name = keptName('draft', personId, draftKey);
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
      // Where somebody is writing, no other words appear. What was sent or emptied elsewhere goes: sent from here, it would come twice.
      if (newValue !== null && document.hasFocus()) return;
      now.current = newValue ?? '';
      written.current = now.current;
      setText(now.current);
    };
    addEventListener('storage', adopt);
    addEventListener('pagehide', keep);
    const stopWriting = onWriteDown(keep);
    return () => {
      stopWriting();
      removeEventListener('storage', adopt);
      removeEventListener('pagehide', keep);
      keep();
    };
  }, [name]);
  return { text, write, clear };
}

/** What was written there, for where it can be written no more. */
export function draftOf(personId: string, draftKey: string): string {
  return stored(keptName('draft', personId, draftKey));
}

function stored(name: string): string {
  return readKept(name) ?? '';
}

function store(name: string, text: string): void {
  if (text === '') drop(name);
  else keepWords(name, text);
}
