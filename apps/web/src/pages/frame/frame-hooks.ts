import type { Me } from '@hub/contract';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Resource, rememberWorkspace, useWorkspace, useWorkspaceChanges } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { JitteredDebounce } from '../../lib/jittered-debounce.ts';
import { route } from '../../lib/router/location.ts';
import { clearAvatars, loadAvatars, updateAvatar } from '../../ui/avatars/avatar.tsx';

/** If a page takes longer to load, the focus stays where it is. */
const WAIT_MS = 2_000;

/** Moves the focus to the heading of each new page, for screen readers and keyboards. */
export function useArrival(): void {
  const { path } = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // The heading of a page that is still loading is replaced later, and the focus would be lost with it.
    return whenFound(() => document.querySelector<HTMLElement>('#main:not([aria-busy="true"]) h1'), focusOn);
  }, [path]);
}

function focusOn(element: HTMLElement): void {
  // The page has set the focus itself, for example to a field.
  if (document.activeElement?.closest('#main')) return;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Calls `use` once `find` succeeds. Returns a function that stops waiting. */
function whenFound(find: () => HTMLElement | null, use: (element: HTMLElement) => void): () => void {
  const element = find();
  if (element) {
    use(element);
    return () => {};
  }
  const observer = new MutationObserver(() => {
    const late = find();
    if (!late) return;
    stop();
    use(late);
  });
  const timer = setTimeout(() => stop(), WAIT_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

/** Keeps the user's name and role and the workspace name up to date: an admin may change them at any time. */
export function useLiveMe(): void {
  const { me } = useWorkspace();
  const take = (now: Me) => {
    if (JSON.stringify(now) !== JSON.stringify(me.peek())) me.value = now;
    rememberWorkspace(now.workspace.name);
  };
  // On failure the known state stays, and of several requests only the last one counts.
  const latest = useMemo(() => new Resource(async (signal) => take(await request('GET /me', { signal }))), []);
  useWorkspaceChanges(['users', 'workspace'], () => void latest.reload());
}

/** Members are often added in groups, and all clients are notified at the same moment. */
const SOON_MS = 300;

/** Keeps the names and avatars of users up to date wherever they are shown. */
export function useLiveUsers(): void {
  const { hubs, items, me } = useWorkspace();
  // On failure, avatars stay unchanged until the next reload; initials are the fallback.
  const reload = () => void loadAvatars().catch(() => {});
  const soon = useMemo(() => new JitteredDebounce(SOON_MS, reload), []);

  useEffect(() => {
    clearAvatars();
    reload();
    const stop = hubs.onEvent(({ event, data }) => {
      if (event === 'member.added') soon.schedule();
      if (event !== 'member.changed') return;
      const { id, name, avatarVersion } = data;
      updateAvatar({ id, kind: 'user' }, avatarVersion);
      items.rename({ id, name });
      if (id === me.peek().id && me.peek().name !== name) me.value = { ...me.peek(), name };
    });
    return () => {
      soon.cancel();
      stop();
    };
  }, []);

  // A user who joins or leaves a Hub sees different users.
  const former = useRef<string>(undefined);
  useSignalEffect(() => {
    const ids = hubs.mine.value.map(({ id }) => id).join();
    if (former.current !== undefined && former.current !== ids) soon.schedule();
    if (hubs.isLoaded.value) former.current = ids;
  });
  useWorkspaceChanges(['users', 'workspace'], reload);
}
