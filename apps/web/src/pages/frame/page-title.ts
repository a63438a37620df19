import { effect } from '@preact/signals';
import type { Workspace } from '../../data/live/workspace.ts';
import { route } from '../../lib/router/location.ts';
import { unreadText } from '../../ui/page/navigation.tsx';

/** Keeps the document title ("(20) Deploys · Workshop") and the badge of the installed app up to date. */
export function showTitle({ me, hubs }: Workspace): () => void {
  const stopTitle = effect(() => {
    const unread = hubs.unreadCount.value;
    const name = pageName(route.value.path, (id) => hubs.find(id)?.name ?? hubs.lost.value.get(id)?.name);
    document.title = `${unread === 0 ? '' : `(${unreadText(unread)}) `}${name} · ${me.value.workspace.name}`;
  });
  const stopBadge = effect(() => {
    const unread = hubs.unreadCount.value;
    // The call may be rejected where badges are not supported, which is harmless.
    void (unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread))?.catch(() => {});
  });
  return () => {
    stopTitle();
    stopBadge();
  };
}

const NAMES: Readonly<Record<string, string>> = {
  '/': 'Stream',
  '/stream': 'Stream',
  '/todos': 'My to-dos',
  '/mentions': 'For you',
  '/search': 'Search',
};
const TABS: Readonly<Record<string, string>> = { todos: 'To-dos · ', notes: 'Notes · ', files: 'Files · ' };

/** Returns the name of the page at `path`. `hubName` returns the name of a visible Hub. */
function pageName(path: string, hubName: (id: string) => string | undefined): string {
  const [, first, hubId, tab] = path.split('/');
  if (first === 'settings') return 'Settings';
  if (first !== 'hubs') return NAMES[path] ?? 'Page not found';
  const name = hubName(hubId ?? '');
  return name === undefined ? 'Page not found' : `${TABS[tab ?? ''] ?? ''}${name}`;
}
