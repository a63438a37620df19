import type { Item } from '@hub/contract';
import { Bell, BellOff, BellPlus } from 'icons';
import { useResource } from '../../data/live/use-resource.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage, request } from '../../data/request.ts';
import { IconButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';

/** A button in the header of a thread: follows the thread, or mutes it. */
export function FollowThread({ item: { id: itemId, repliers } }: { item: Item }) {
  const { me } = useWorkspace();
  // A reply makes the user take part.
  const hasReplied = repliers?.includes(me.value.id) ?? false;
  const { value, set } = useResource(
    (signal) => request('GET /me/notifications/threads/{itemId}', { itemId, signal }),
    { key: `${itemId} ${hasReplied}`, topics: [] },
  );
  const isFollowing = value?.isFollowing === true;
  const change = async () => {
    const mode = isFollowing ? 'muted' : 'every';
    try {
      set(await request('PUT /me/notifications/threads/{itemId}', { itemId, body: { mode } }));
      toast(
        isFollowing ? 'Thread muted. Only mentions notify you.' : 'You’ll be notified about replies in this thread.',
      );
    } catch (error) {
      toast(`Not changed. ${errorMessage(error)}`, { isError: true });
    }
  };
  return (
    <IconButton
      icon={isFollowing ? <Bell /> : value?.mode === 'muted' ? <BellOff /> : <BellPlus />}
      label={isFollowing ? 'Mute thread' : 'Follow thread'}
      aria-disabled={value === undefined}
      onClick={() => value && void change()}
    />
  );
}
