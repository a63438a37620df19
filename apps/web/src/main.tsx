import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeys } from './keyboard/shortcuts.ts';
import { followLinks } from './router/location.ts';
import { resume } from './session/session.ts';
import { showTheme } from './theme/theme.ts';

showTheme();
followLinks();
listenToKeys();
void resume();
render(<App />, document.querySelector('#app') ?? document.body);
