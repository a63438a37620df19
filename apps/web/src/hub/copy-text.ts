import { toast } from '../ui/toast.tsx';

/** Copies, and says so. Where the page is not served over https, browsers have only the older way. */
export async function copyText(text: string, words: string): Promise<void> {
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => copyBySelecting(text),
      )
    : copyBySelecting(text);
  if (isCopied) toast(words);
  else toast('The browser does not let this page copy.', { isBad: true });
}

function copyBySelecting(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
