/** Loaded before anything is painted, and by itself: whoever has chosen dark sees no flash of the system's light. */
import { applyTheme, storedTheme } from './stored-theme.ts';

applyTheme(storedTheme());
