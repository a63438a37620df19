import { signal } from '@preact/signals';
import { applyTheme, storedTheme, storeTheme, type Theme } from './stored-theme.ts';

export { THEMES, type Theme } from './stored-theme.ts';

/** What the reader has chosen in this browser. It is in force before this is loaded: theme-first.ts. */
export const theme = signal<Theme>(storedTheme());

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  storeTheme(chosen);
  applyTheme(chosen);
}

/** What is chosen in one tab holds in all. */
export function followTheme(): void {
  addEventListener('storage', () => {
    theme.value = storedTheme();
    applyTheme(theme.peek());
  });
}
