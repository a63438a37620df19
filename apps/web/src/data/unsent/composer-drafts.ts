import { computed, type ReadonlySignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readStored } from '../../lib/stored.ts';
import { onFlush, removeStored, storageKey, storageKeys, storedChanges, store as storeText } from './unsaved-text.ts';

const SOON_MS = 250;

/** Where a draft is written: the Hub, and for a reply the message. */
interface DraftTarget {
  hubId: string;
  /** The id of the Hub or of the message. */
  draftKey: string;
}

/** The draft of a message or reply, kept in this browser. */
export function useMessageDraft(userId: string, { hubId, draftKey }: DraftTarget): StoredText {
  return useStoredText(storageKey('draft', userId, hubId === draftKey ? hubId : `${hubId}.${draftKey}`));
}

interface StoredText {
  text: string;
  write: (text: string) => void;
  clear: () => void;
}

/**
 * Text kept in this browser, which survives a reload: it is saved shortly after each change, and no later than when the
 * view or the page closes. Tabs adopt each other's text unless they have text of their own, and a tab clears only the
 * text that it wrote last.
 */
export function useStoredText(name: string): StoredText {
  const [text, setText] = useState(() => stored(name));
  const now = useRef(text);
  const written = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const keep = () => {
    clearTimeout(timer.current);
    if (now.current === written.current) return;
    if (store(name, now.current)) written.current = now.current;
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
  useSignalEffect(() => {
    // An earlier view of this tab has sent or saved it.
    const isCleared = storedChanges.value >= 0 && now.current !== '' && stored(name) === '';
    if (isCleared && now.current === written.current) clear();
  });
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

/** Returns the Hubs with a stored message or reply. */
export function hubsWithDraft(userId: string): ReadonlySignal<ReadonlySet<string>> {
  const start = storageKey('draft', userId);
  const ids = computed(() => {
    const names = storedChanges.value >= 0 ? storageKeys('draft', userId) : [];
    return [...new Set(names.map((name) => name.slice(start.length).split('.')[0] ?? ''))].sort().join(' ');
  });
  return computed(() => new Set(ids.value.split(' ')));
}

function stored(name: string): string {
  return readStored(name) ?? '';
}

function store(name: string, text: string): boolean {
  return text === '' ? removeStored(name) : storeText(name, text);
}
