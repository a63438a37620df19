import { signal } from '@preact/signals';
import { applyTheme, storedTheme, storeTheme, type Theme } from './stored-theme.ts';

export { THEMES, type Theme } from './stored-theme.ts';

/** The theme chosen in this browser. first.ts applies it before this loads. */
export const theme = signal<Theme>(storedTheme());

export function chooseTheme(next: Theme): void {
  theme.value = next;
  storeTheme(next);
  applyTheme(next);
}

/** Applies a theme chosen in another tab. */
export function followTheme(): void {
  addEventListener('storage', () => {
    theme.value = storedTheme();
    applyTheme(theme.peek());
  });
}
