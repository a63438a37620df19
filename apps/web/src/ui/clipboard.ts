import { toast } from './toast.tsx';

/** Copies text. Returns whether it worked. Pages not served over HTTPS need the older API. */
async function writeClipboard(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelecting(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelecting(text),
  );
}

/** Copies the text of an element, or selects it for copying by hand. Returns whether it was copied. */
export async function copyOrSelect(text: string, element: Element | null): Promise<boolean> {
  if (await writeClipboard(text)) return true;
  if (element) getSelection()?.selectAllChildren(element);
  return false;
}

export function copyLink({ id }: { id: string }): void {
  void copyText(`${location.origin}/p/${id}`, 'Link copied.');
}

export async function copyText(text: string, words: string): Promise<void> {
  if (await writeClipboard(text)) toast(words);
  else toast('Couldn’t copy. Your browser blocks access to the clipboard.', { isError: true });
}

function copyBySelecting(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  // Text behind an open dialog cannot be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
