/** Runs before the first paint. */
import { isStart, sendEarly } from './data/early-requests.ts';
import { applyTheme, storedTheme } from './lib/theme/stored-theme.ts';

// The page must not flash in light colors when the dark theme is chosen.
applyTheme(storedTheme());

sendEarly(location).catch(() => {});

// If the app starts with the Stream, its code and styles load together with the app, not a round trip later.
const streamFiles = document.querySelector('template');
if (isStart(location.pathname) && streamFiles) document.head.append(streamFiles.content);
