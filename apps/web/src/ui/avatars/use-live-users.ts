import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspaceChanges } from '../../data/live/use-workspace-changes.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { clearAvatars, loadAvatars, updateAvatar } from './avatars.ts';

/** Members are often added in groups, and all clients are notified at the same moment, so reloads are spread out. */
const SOON_MS = 300;
const SPREAD_MS = 700;

/** Keeps the names and avatars of users up to date wherever they are shown. */
export function useLiveUsers(): void {
  const { hubs, items, me } = useWorkspace();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = () => {
    timer.current = undefined;
    // On failure, avatars stay unchanged until the next reload; initials are the fallback.
    loadAvatars().catch(() => {});
  };
  const reloadSoon = () => {
    timer.current ??= setTimeout(reload, SOON_MS + Math.random() * SPREAD_MS);
  };

  useEffect(() => {
    clearAvatars();
    reload();
    const stop = hubs.onEvent(({ event, data }) => {
      if (event === 'member.added') reloadSoon();
      if (event !== 'member.changed') return;
      const { id, name, pictureVersion } = data;
      updateAvatar({ id, kind: 'person' }, pictureVersion);
      items.rename({ id, name });
      if (id === me.peek().id && me.peek().name !== name) me.value = { ...me.peek(), name };
    });
    return () => {
      clearTimeout(timer.current);
      stop();
    };
  }, []);

  // A user who joins or leaves a Hub sees different users.
  const known = useRef<string>(undefined);
  useSignalEffect(() => {
    const ids = hubs.mine.value.map(({ id }) => id).join();
    if (known.current !== undefined && known.current !== ids) reloadSoon();
    if (hubs.isLoaded.value) known.current = ids;
  });
  useWorkspaceChanges(['people', 'workspace'], reload);
}
