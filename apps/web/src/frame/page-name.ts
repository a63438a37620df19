const NAMES: Readonly<Record<string, string>> = {
  '/': 'Stream',
  '/stream': 'Stream',
  '/todos': 'My to-dos',
  '/mentions': 'Mentions',
  '/search': 'Search',
};
const TABS: Readonly<Record<string, string>> = { todos: 'To-dos · ', notes: 'Notes · ' };

/** What the page at `path` is called. `hubName` tells the name of a Hub that one may see. */
export function pageName(path: string, hubName: (id: string) => string | undefined): string {
  const [, first, hubId, tab] = path.split('/');
  if (first === 'settings') return 'Settings';
  if (first !== 'hubs') return NAMES[path] ?? 'Nothing here';
  const name = hubName(hubId ?? '');
  return name === undefined ? 'Nothing here' : `${TABS[tab ?? ''] ?? ''}${name}`;
}
