import type { Item } from '@hub/contract';
import { effect } from '@preact/signals';
import { CheckCheck } from 'icons';
import { useMemo } from 'preact/hooks';
import { markMentionsRead } from '../../data/hubs/mark-mentions-read.ts';
import { byCreation, isReply } from '../../data/items/item.ts';
import { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { route } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyArt } from '../../ui/icons/art.tsx';
import { EmptyState } from '../../ui/page/load-states.tsx';
import { Page } from '../../ui/page/navigation.tsx';
import { orToast } from '../../ui/toast.tsx';
import { StreamFeed } from '../stream/stream-feed.tsx';
import { pageOf, STREAM_PAGE, takeFeed } from '../stream/stream-list.ts';

/** Mentions of the signed-in user and replies in their threads, newest first. */
export function MentionsPage() {
  const workspace = useWorkspace();
  const { key } = route.value;
  const feed = useMemo(
    () =>
      takeFeed(workspace, {
        name: 'mentions',
        locationKey: key,
        isForBackOnly: false,
        make: () => ({ ...mentionsOf(workspace), isNew: ({ id }) => workspace.hubs.mentions.has(id) }),
      }),
    [workspace],
  );
  feed.locationKey = key;
  return (
    <Page
      title="For you"
      bar={
        feed.list.items.value.length > 0 && (
          <Button
            variant="is-bare is-small"
            icon={<CheckCheck />}
            label="Mark all read"
            onClick={() => {
              feed.held.value = new Set();
              void markAllRead(workspace);
            }}
          />
        )
      }
    >
      <StreamFeed
        feed={feed}
        isWhole
        label="Mentions and replies to you"
        holdsAllNew={(items) => workspace.hubs.mentions.ids.value.isSubsetOf(new Set(items.map(({ id }) => id)))}
        empty={
          <EmptyState
            art={<EmptyArt />}
            title="Nothing for you yet"
            text={`Posts that mention @${workspace.me.value.name} and replies in your threads appear here.`}
          />
        }
      />
    </Page>
  );
}

const markAllRead = ({ hubs }: Workspace) =>
  orToast('Couldn’t mark everything as read.', () => markMentionsRead(hubs.mine));

function mentionsOf({ me, items, hubs }: Workspace) {
  /** Only the server knows in whose thread a reply is. */
  const replies = new Set<string>();
  const names = ({ author, mentions }: Item) => author.id !== me.peek().id && mentions.includes(me.peek().id);
  const list = new ItemList(items, {
    holds: (item) => names(item) || replies.has(item.id),
    order: byCreation,
    load: async (before) => {
      const page = await pageOf(request('GET /mentions', { query: { before, limit: STREAM_PAGE } }));
      for (const item of page.items) if (isReply(item)) replies.add(item.id);
      return page;
    },
  });
  const stop = effect(() => {
    for (const id of hubs.mentions.ids.value) {
      const item = items.get(id).value;
      if (!item || replies.has(id) || !isReply(item)) continue;
      replies.add(id);
      list.take(item);
    }
  });
  return { list, stop };
}
