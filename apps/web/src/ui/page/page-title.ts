import { useEffect } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { route } from '../../lib/router/location.ts';
import { pageName } from './page-name.ts';
import { countText } from './unread-count.tsx';

/** Keeps the document title up to date: "(20) Deploys · Workshop". */
export function usePageTitle(): void {
  const { me, hubs } = useWorkspace();
  const unread = hubs.unreadCount.value;
  const name = pageName(route.value.path, (id) => hubs.find(id)?.name ?? hubs.lost.value.get(id)?.name);
  const title = `${unread === 0 ? '' : `(${countText(unread)}) `}${name} · ${me.value.workspace.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // The badge of the installed app. The call may be rejected where badges are not supported, which is harmless.
    void (unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread))?.catch(() => {});
  }, [unread]);
}
