import { readDraft } from './drafts.ts';
import type { ItemText, TextBase } from './save-text.ts';
import { storageKey, store } from './unsaved-text.ts';

/** The edited text and the version it is based on. */
export interface EditDraft extends ItemText {
  base: TextBase;
}

export function editDraftKey(itemId: string): string {
  return `edit.${itemId}`;
}

/** Whether the user has an unsaved edit of the item in this browser. */
export function hasEditDraft(personId: string, itemId: string): boolean {
  const draft = readDraft(personId, editDraftKey(itemId), isEditDraft);
  return draft !== null && (draft.title !== draft.base.title || draft.content !== draft.base.content);
}

/** Saves a draft for the next time the editor of the item opens. */
export function keepEditDraft(personId: string, itemId: string, draft: EditDraft): void {
  store(storageKey('draft', personId, editDraftKey(itemId)), JSON.stringify(draft));
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
