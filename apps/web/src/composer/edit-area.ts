import type { Edit, Selection } from './markdown-edits.ts';

/** What is selected of the text. */
export function selectionOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selection {
  return { text: value, start: selectionStart, end: selectionEnd };
}

/** Changes the text as if it were typed: the area tells of it, and it can be undone. */
export function edit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isTyped = insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert);
  if (!isTyped) {
    area.setRangeText(insert, from, to, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

/** Whether a key belongs to an input method: Safari says so by the code 229 alone when its word ends. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
