/** Runs before the first paint. */
import { applyTheme, storedTheme } from './lib/theme/stored-theme.ts';

// The page must not flash in light colors when the dark theme is chosen.
applyTheme(storedTheme());

// If the app starts with the Stream, its code and styles load together with the app, not a round trip later.
if (/^\/(?:stream)?$/.test(location.pathname)) {
  const files = document.querySelector<HTMLMetaElement>('meta[name="hub-stream"]')?.content ?? '';
  for (const file of files.split(' ')) {
    const link = document.createElement('link');
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (link.rel === 'preload') link.as = 'style';
    link.href = file;
    document.head.append(link);
  }
}
