import type { Edit, Selection } from './markdown-edits.ts';

/** Returns the text of a text area and its selected range. */
export function selectionOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selection {
  return { text: value, start: selectionStart, end: selectionEnd };
}

/** Changes the text as if it were typed, so that it fires an input event and can be undone. */
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

/** Whether a key press belongs to an input method. At the end of a composition, Safari reports only key code 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
