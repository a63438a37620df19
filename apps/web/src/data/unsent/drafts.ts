import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../live/workspace.ts';
import { onFlush, readStored, removeStored, storageKey, store } from './unsaved-text.ts';

/** Drafts may be long, so they are not saved on every keystroke. */
const PAUSE_MS = 300;

/** Returns a user's draft stored in this browser; `null` if there is none that `isDraft` accepts. */
export function readDraft<T>(personId: string, key: string, isDraft: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(readStored(storageKey('draft', personId, key)) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * State that outlives its view and the page: it is saved in this browser shortly after each change, and no later than
 * when the view or the page closes. `null` is not saved.
 */
export function useDraft<T>(key: string, start: T | null, isDraft: (value: unknown) => value is T) {
  const personId = useWorkspace().me.peek().id;
  const [value, setValue] = useState<T | null>(() => readDraft(personId, key, isDraft) ?? start);
  const unsaved = useRef<{ value: T | null } | null>(null);
  const flush = useCallback(() => {
    if (!unsaved.current) return;
    const name = storageKey('draft', personId, key);
    if (unsaved.current.value === null) removeStored(name);
    else store(name, JSON.stringify(unsaved.current.value));
    unsaved.current = null;
  }, [personId, key]);
  const set = useCallback(
    (next: T | null) => {
      unsaved.current = { value: next };
      setValue(next);
      if (next === null) flush();
    },
    [flush],
  );
  useEffect(() => {
    const timer = setTimeout(flush, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, flush]);
  const shown = useRef({ value, start });
  shown.current = { value, start };
  useEffect(() => {
    const adopt = (event: StorageEvent) => {
      if (event.key !== storageKey('draft', personId, key) || event.newValue !== null) return;
      // Saved or discarded in another tab: saving here too would duplicate it. Text typed here since then is kept.
      if (event.oldValue !== JSON.stringify(shown.current.value)) return;
      unsaved.current = null;
      setValue(shown.current.start);
    };
    addEventListener('storage', adopt);
    addEventListener('pagehide', flush);
    const stopWriting = onFlush(flush);
    return () => {
      stopWriting();
      removeEventListener('storage', adopt);
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  return [value, set] as const;
}
