import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { resume } from './data/session/session.ts';
import { listenToKeys } from './lib/keyboard/shortcuts.ts';
import { followLinks } from './lib/router/location.ts';
import { followTheme } from './lib/theme/theme.ts';
import { hasScreenKeyboard } from './lib/widths.ts';

followTheme();
followLinks();
listenToKeys();
void resume();
// The page also works below a screen keyboard.
if (hasScreenKeyboard())
  void import('./ui/page/above-keyboard.ts').then(
    (code) => code.stayAboveKeyboard(),
    () => {},
  );
void import('./ui/page/translated-texts.ts').then(
  (code) => code.keepTranslatedTexts(),
  () => {},
);
for (const type of ['pointermove', 'keydown']) addEventListener(type, loadTooltips);
render(<App />, document.querySelector('#app') ?? document.body);

function loadTooltips(): void {
  // The names are also in the buttons.
  import('./ui/tooltips.ts').then(({ showTooltips }) => showTooltips()).catch(() => {});
  removeEventListener('pointermove', loadTooltips);
  removeEventListener('keydown', loadTooltips);
}
