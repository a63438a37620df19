import { signal } from '@preact/signals';

const KEY = 'hub.theme';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What the reader has chosen in this browser. */
export const theme = signal<Theme>(stored());

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  if (chosen === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  showTheme();
}

/** Puts it into force. The style sheet does the rest. */
export function showTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.peek() === 'system') delete dataset.theme;
  else dataset.theme = theme.peek();
}

function stored(): Theme {
  const found = localStorage.getItem(KEY);
  return THEMES.find((known) => known === found) ?? 'system';
}
