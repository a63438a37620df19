import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

const PREFIX = 'hub.draft.';
/** Long texts are not written to disk with every key. */
const PAUSE_MS = 300;

/** What was written and not sent, kept in this browser; `null` if there is nothing that `isDraft` knows. */
export function readDraft<T>(key: string, isDraft: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

export function keepDraft(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // There is no room: what was typed is still in its field.
  }
}

export function dropDraft(key: string): void {
  localStorage.removeItem(PREFIX + key);
}

/**
 * A state that outlives its view and the page: what is typed is kept a moment later, and at the latest when the view or the
 * page goes. `null` keeps nothing.
 */
export function useDraft<T>(key: string, start: T | null, isDraft: (value: unknown) => value is T) {
  const [value, setValue] = useState<T | null>(() => readDraft(key, isDraft) ?? start);
  const unsaved = useRef<{ value: T | null } | null>(null);
  const flush = useCallback(() => {
    if (!unsaved.current) return;
    if (unsaved.current.value === null) dropDraft(key);
    else keepDraft(key, unsaved.current.value);
    unsaved.current = null;
  }, [key]);
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
  useEffect(() => {
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  return [value, set] as const;
}
