import { expect, test } from 'bun:test';
import { pageName } from './page-name.ts';

test('names every page, and a Hub page by its tab and Hub', () => {
  const name = (path: string) => pageName(path, (id) => (id === 'hub_1' ? 'Deploys' : undefined));
  expect(['/', '/stream', '/mentions', '/search', '/settings/keys'].map(name)).toEqual([
    'Stream',
    'Stream',
    'Mentions',
    'Search',
    'Settings',
  ]);
  expect(['/hubs/hub_1', '/hubs/hub_1/todos', '/hubs/hub_1/notes'].map(name)).toEqual([
    'Deploys',
    'To-dos · Deploys',
    'Notes · Deploys',
  ]);
  expect(['/hubs/hub_2', '/nowhere', '//evil.example'].map(name)).toEqual([
    'Page not found',
    'Page not found',
    'Page not found',
  ]);
});
