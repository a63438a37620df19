import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { drop, keep, keptName, onWriteDown, readKept } from '../session/unsaved-text.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** Long texts are not written to disk with every key. */
const PAUSE_MS = 300;

/** What this person wrote and did not send, kept in this browser; `null` if there is nothing that `isDraft` knows. */
export function readDraft<T>(personId: string, key: string, isDraft: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(readKept(keptName('draft', personId, key)) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * A state that outlives its view and the page: what is typed is kept a moment later, and at the latest when the view or the
 * page goes. `null` keeps nothing.
 */
export function useDraft<T>(key: string, start: T | null, isDraft: (value: unknown) => value is T) {
  const personId = useWorkspace().me.peek().id;
  const [value, setValue] = useState<T | null>(() => readDraft(personId, key, isDraft) ?? start);
  const unsaved = useRef<{ value: T | null } | null>(null);
  const flush = useCallback(() => {
    if (!unsaved.current) return;
    const name = keptName('draft', personId, key);
    if (unsaved.current.value === null) drop(name);
    else keep(name, JSON.stringify(unsaved.current.value));
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
      if (event.key !== keptName('draft', personId, key) || event.newValue !== null) return;
      // Saved or dropped in another tab: saved from here as well, it would be there twice. What was written on here stays.
      if (event.oldValue !== JSON.stringify(shown.current.value)) return;
      unsaved.current = null;
      setValue(shown.current.start);
    };
    addEventListener('storage', adopt);
    addEventListener('pagehide', flush);
    const stopWriting = onWriteDown(flush);
    return () => {
      stopWriting();
      removeEventListener('storage', adopt);
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  return [value, set] as const;
}
