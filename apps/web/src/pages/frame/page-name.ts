const NAMES: Readonly<Record<string, string>> = {
  '/': 'Stream',
  '/stream': 'Stream',
  '/todos': 'My to-dos',
  '/mentions': 'Mentions',
  '/search': 'Search',
};
const TABS: Readonly<Record<string, string>> = { todos: 'To-dos · ', notes: 'Notes · ' };

/** Returns the name of the page at `path`. `hubName` returns the name of a visible Hub. */
export function pageName(path: string, hubName: (id: string) => string | undefined): string {
  const [, first, hubId, tab] = path.split('/');
  if (first === 'settings') return 'Settings';
  if (first !== 'hubs') return NAMES[path] ?? 'Page not found';
  const name = hubName(hubId ?? '');
  return name === undefined ? 'Page not found' : `${TABS[tab ?? ''] ?? ''}${name}`;
}
