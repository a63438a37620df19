import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeys } from './keyboard/shortcuts.ts';
import { followLinks } from './router/location.ts';
import { resume } from './session/session.ts';
import { followTheme } from './theme/theme.ts';

followTheme();
followLinks();
listenToKeys();
void resume();
render(<App />, document.querySelector('#app') ?? document.body);
