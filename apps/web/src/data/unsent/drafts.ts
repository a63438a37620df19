import { useMemo, useRef } from 'preact/hooks';
import { readStored } from '../../lib/stored.ts';
import { useWorkspace } from '../live/workspace.ts';
import { useStoredText } from './composer-drafts.ts';
import { type ItemText, isSameText, type TextBase } from './save-text.ts';
import { editDraftKey, storageKey, store } from './unsaved-text.ts';

/** Returns the draft in a stored text; `null` if it is none that `isDraft` accepts. */
function parse<T>(text: string, isDraft: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

/** State that outlives its view and the page, since it is kept in this browser. `null` and `start` are not saved. */
export function useDraft<T>(key: string, start: T | null, isDraft: (value: unknown) => value is T) {
  const { text, write, clear } = useStoredText(storageKey('draft', useWorkspace().me.peek().id, key));
  const latest = useRef({ text, start });
  // Saved or discarded, here or in another tab.
  if (text === '' && latest.current.text !== '') latest.current.start = start;
  latest.current.text = text;
  const value = useMemo(() => parse(text, isDraft) ?? latest.current.start, [text]);
  const set = (next: T | null) => (next === null ? clear() : write(JSON.stringify(next)));
  return [value, set] as const;
}

export interface EditDraft extends ItemText {
  base: TextBase;
}

export function hasEditDraft(userId: string, itemId: string): boolean {
  const draft = parse(readStored(storageKey('draft', userId, editDraftKey(itemId))) ?? '', isEditDraft);
  return draft !== null && !isSameText(draft, draft.base);
}

/** Saves a draft for the next time the editor of the item opens. */
export function keepEditDraft(userId: string, itemId: string, draft: object): void {
  store(storageKey('draft', userId, editDraftKey(itemId)), JSON.stringify(draft));
}

export function isText(value: unknown): value is ItemText {
  const { title, content } = (value ?? {}) as Partial<Record<keyof ItemText, unknown>>;
  return typeof title === 'string' && typeof content === 'string';
}

export function isEditDraft(value: unknown): value is EditDraft {
  if (!isText(value)) return false;
  const { base } = value as Partial<EditDraft>;
  return isText(base) && typeof (base as Partial<TextBase>).version === 'number';
}
