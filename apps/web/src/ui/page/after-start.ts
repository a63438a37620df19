/** Starts what the page works without, and what would make its first load larger. */
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { keepTranslatedTexts } from './translated-texts.ts';

keepTranslatedTexts();
if (hasScreenKeyboard()) load(() => import('./above-keyboard.ts').then((code) => code.stayAboveKeyboard()));
for (const type of ['pointermove', 'keydown']) addEventListener(type, loadTooltips);

function loadTooltips(): void {
  // The names are also in the buttons.
  load(() => import('../tooltips.ts').then((code) => code.showTooltips()));
  removeEventListener('pointermove', loadTooltips);
  removeEventListener('keydown', loadTooltips);
}

function load(code: () => Promise<void>): void {
  code().catch(() => {});
}
