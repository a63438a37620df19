import { useEffect } from 'preact/hooks';
import { place } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { pageName } from './page-name.ts';
import { countText } from './unread-count.tsx';

/** Keeps the title of the document: "(20) Deploys · Workshop". */
export function usePageTitle(): void {
  const { me, hubs } = useWorkspace();
  const unread = hubs.unreadCount.value;
  const name = pageName(place.value.path, (id) => hubs.find(id)?.name ?? hubs.lost.value.get(id)?.name);
  const title = `${unread === 0 ? '' : `(${countText(unread)}) `}${name} · ${me.value.workspace.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // On the icon of the installed app. Where there is none it is refused, and nothing is lost.
    void (unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread))?.catch(() => {});
  }, [unread]);
}
