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
render(<App />, document.querySelector('#app') ?? document.body);
void import('./ui/page/after-start.ts').catch(() => {});
