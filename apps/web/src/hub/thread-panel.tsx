import type { Message } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { path, request } from '../api/request.ts';
import { Composer } from '../composer/composer.tsx';
import { hasScreenKeyboard } from '../composer/screen-keyboard.ts';
import { Trouble } from '../frame/trouble.tsx';
import { useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { repliesTo } from './conversation.ts';
import { FeedBones } from './feed-bones.tsx';
import { useRowKeys } from './row-keys.ts';
import { RowOverlays } from './row-overlays.tsx';
import { newRowScope } from './row-scope.ts';
import { ThreadFeed } from './thread-feed.tsx';

/** A message and the replies to it. */
export function ThreadPanel({ id }: { id: string }) {
  const { hubs, items } = useWorkspace();
  const found = useItem(id);
  const scope = useMemo(() => newRowScope('thread'), [id]);
  const list = useMemo(() => repliesTo(items, { id }), [items, id]);
  useEffect(() => () => list.dispose(), [list]);
  useRowKeys(scope);
  if (found.status === 'failed') {
    return (
      <Panel title="Thread" hubName="">
        <Trouble words={found.words} onAgain={found.again} />
      </Panel>
    );
  }
  if (found.status === 'loading') {
    return (
      <Panel title="Thread" hubName="">
        <FeedBones what="the thread" />
      </Panel>
    );
  }
  const message = found.status === 'found' && found.item.kind === 'message' ? found.item : null;
  if (message === null) {
    return (
      <Panel title="Thread" hubName="">
        <div class="empty">
          <p>This message was deleted, or you do not belong to its Hub.</p>
        </div>
      </Panel>
    );
  }
  const { hubId } = message;
  const send = async (text: string) => {
    items.takeAnswer(await request<Message>('POST', path`/messages/${id}/replies`, { body: { text } }));
    scope.toNewest();
  };
  return (
    <Panel
      title="Thread"
      hubName={hubs.find(hubId)?.name ?? ''}
      isScrolledInside
      foot={
        <Composer
          label="Reply in the thread"
          hubId={hubId}
          draftKey={id}
          onSend={send}
          isFocused={!hasScreenKeyboard()}
        />
      }
    >
      <ThreadFeed message={message} list={list} scope={scope} />
      <RowOverlays scope={scope} />
    </Panel>
  );
}
