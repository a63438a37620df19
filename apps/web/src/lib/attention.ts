import { type ReadonlySignal, signal } from '@preact/signals';

const isThere = (): boolean => document.visibilityState === 'visible' && document.hasFocus();
const attention = signal(isThere());

/** Whether the user is looking at this tab, as far as a page can tell: it is visible and has the focus. */
export const hasAttention: ReadonlySignal<boolean> = attention;

const check = (): void => {
  attention.value = isThere();
};
addEventListener('focus', check);
addEventListener('blur', check);
document.addEventListener('visibilitychange', check);
