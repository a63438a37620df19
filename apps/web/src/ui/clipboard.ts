import { toast } from './toast.tsx';

/** Whether the text is in the clipboard now. Where the page is not served over https, browsers have only the older way. */
export async function writeClipboard(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelecting(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelecting(text),
  );
}

/** Copies, and says so. */
export async function copyText(text: string, words: string): Promise<void> {
  if (await writeClipboard(text)) toast(words);
  else toast('The browser does not let this page copy.', { isBad: true });
}

function copyBySelecting(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  // What stands behind an open dialog cannot be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
