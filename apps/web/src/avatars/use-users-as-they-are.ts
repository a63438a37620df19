import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspaceChanges } from '../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { forgetAvatars, loadAvatars, noteAvatar } from './avatars.ts';

/** Somebody who comes may come with others, and everybody is told of it at once. */
const SOON_MS = 300;
const SPREAD_MS = 700;

/** Keeps the names and the pictures of people as they are now, wherever they are shown. */
export function useUsersAsTheyAre(): void {
  const { hubs, items, me } = useWorkspace();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = () => {
    timer.current = undefined;
    // Until the next time, faces stay as they are known: initials do as well.
    loadAvatars().catch(() => {});
  };
  const reloadSoon = () => {
    timer.current ??= setTimeout(reload, SOON_MS + Math.random() * SPREAD_MS);
  };

  useEffect(() => {
    forgetAvatars();
    reload();
    const stop = hubs.onEvent(({ event, data }) => {
      if (event === 'member.added') reloadSoon();
      if (event !== 'member.changed') return;
      const { id, name, pictureVersion } = data;
      noteAvatar({ id, kind: 'person' }, pictureVersion);
      items.rename({ id, name });
      if (id === me.peek().id && me.peek().name !== name) me.value = { ...me.peek(), name };
    });
    return () => {
      clearTimeout(timer.current);
      stop();
    };
  }, []);

  // Who belongs to another Hub now sees other people.
  const known = useRef<string>(undefined);
  useSignalEffect(() => {
    const ids = hubs.mine.value.map(({ id }) => id).join();
    if (known.current !== undefined && known.current !== ids) reloadSoon();
    if (hubs.isLoaded.value) known.current = ids;
  });
  useWorkspaceChanges(['people', 'workspace'], reload);
}
