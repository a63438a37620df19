import { type ReadonlySignal, signal } from '@preact/signals';

/** Absent in tests of units, which import this file. */
const page: Document | undefined = globalThis.document;
const isThere = (): boolean => page?.visibilityState === 'visible' && page.hasFocus();
const attention = signal(isThere());

/** Whether the user is looking at this tab, as far as a page can tell: it is visible and has the focus. */
export const hasAttention: ReadonlySignal<boolean> = attention;

const check = (): void => {
  attention.value = isThere();
};
globalThis.addEventListener?.('focus', check);
globalThis.addEventListener?.('blur', check);
page?.addEventListener('visibilitychange', check);
