import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router/location.ts';
import { resume } from './session/session.ts';

followLinks();
void resume();
render(<App />, document.querySelector('#app') ?? document.body);
