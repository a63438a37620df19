import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { resume } from './data/session/session.ts';
import { listenToKeys } from './lib/keyboard/shortcuts.ts';
import { followLinks } from './lib/router/location.ts';
import { linkKindOf } from './lib/router/urls.ts';
import { followTheme } from './lib/theme/theme.ts';

followTheme();
followLinks();
listenToKeys();
if (linkKindOf(location.pathname) === undefined) void resume();
render(<App />, document.querySelector('#app') ?? document.body);
void import('./after-start.ts').catch(() => {});
