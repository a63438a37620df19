import { readStored, writeStored } from '../stored.ts';

const KEY = 'hub.theme';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function storedTheme(): Theme {
  const stored = readStored(KEY);
  return THEMES.find((name) => name === stored) ?? 'system';
}

export function storeTheme(theme: Theme): void {
  writeStored(KEY, theme === 'system' ? null : theme);
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
