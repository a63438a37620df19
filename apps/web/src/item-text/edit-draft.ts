import { keep, keptName } from '../session/unsaved-text.ts';
import { readDraft } from './drafts.ts';
import type { ItemText, TextBase } from './save-text.ts';

/** What was typed, and what it was based on. */
export interface EditDraft extends ItemText {
  base: TextBase;
}

export function editDraftKey(itemId: string): string {
  return `edit.${itemId}`;
}

/** Whether this person began to edit the item here, and neither saved nor dropped it. */
export function hasEditDraft(personId: string, itemId: string): boolean {
  const draft = readDraft(personId, editDraftKey(itemId), isEditDraft);
  return draft !== null && (draft.title !== draft.base.title || draft.content !== draft.base.content);
}

/** For the editor of the item, when it is opened next. */
export function keepEditDraft(personId: string, itemId: string, draft: EditDraft): void {
  keep(keptName('draft', personId, editDraftKey(itemId)), JSON.stringify(draft));
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
