import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { resume } from './data/session/session.ts';
import { listenToKeys } from './lib/keyboard/shortcuts.ts';
import { followLinks } from './lib/router/location.ts';
import { followTheme } from './lib/theme/theme.ts';

followTheme();
followLinks();
listenToKeys();
void resume();
for (const type of ['pointerover', 'keydown']) addEventListener(type, loadTooltips);
render(<App />, document.querySelector('#app') ?? document.body);

function loadTooltips(): void {
  // The names are also in the buttons.
  import('./ui/tooltips.ts').then(({ showTooltips }) => showTooltips()).catch(() => {});
  removeEventListener('pointerover', loadTooltips);
  removeEventListener('keydown', loadTooltips);
}
