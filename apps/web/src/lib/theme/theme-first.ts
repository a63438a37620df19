/** Runs before the first paint, so that the page does not flash in light colors when the dark theme is chosen. */
import { applyTheme, storedTheme } from './stored-theme.ts';

applyTheme(storedTheme());
