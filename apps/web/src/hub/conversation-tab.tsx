import type { Hub } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { Composer } from '../composer/composer.tsx';
import { outboxOf } from '../composer/outbox.ts';
import { OutboxRows } from '../composer/outbox-rows.tsx';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { EmptyHub } from './empty-hub.tsx';
import { Feed } from './feed.tsx';
import { FeedSkeleton } from './feed-skeleton.tsx';
import { JumpToNewest } from './jump-to-newest.tsx';
import { editLast } from './message-actions.ts';
import { focusRows, useRowKeys } from './row-keys.ts';
import { RowOverlays } from './row-overlays.tsx';
import { useConversation } from './use-conversation.ts';

/** The messages of a Hub and the composer below them. */
export function ConversationTab({ hub }: { hub: Hub }) {
  const workspace = useWorkspace();
  const { list, view, scope, divider, onMove } = useConversation(hub);
  useRowKeys(scope);
  const state = list.state.value;
  const isUnsent = outboxOf(workspace).all.value.some(({ draftKey }) => draftKey === hub.id);
  const isEmpty = useComputed(() => list.items.value.length === 0).value && !isUnsent;
  return (
    <>
      <div class="feed-box">
        <Feed
          label={`Conversation in ${hub.name}`}
          list={list}
          view={view}
          scope={scope}
          unreadAfter={divider.after.value}
          unreadCount={hub.unreadCounts?.message ?? 0}
          onMove={onMove}
          beginning={`This is the beginning of ${hub.name}.`}
        >
          <OutboxRows draftKey={hub.id} />
        </Feed>
        {state.status === 'failed' && (
          <div class="feed-cover">
            <ErrorNotice text={state.text} onRetry={() => void list.reload()} />
          </div>
        )}
        {isEmpty && state.status === 'loading' && <FeedSkeleton />}
        {isEmpty && state.status === 'ready' && <EmptyHub hub={hub} scope={scope} />}
        <JumpToNewest list={list} view={view} scope={scope} />
      </div>
      <Composer
        label={`Message to ${hub.name}`}
        hubId={hub.id}
        draftKey={hub.id}
        onSend={() => scope.toNewest()}
        onLeave={() => focusRows(scope)}
        onEditLast={() => editLast(workspace, { list, scope })}
      />
      <RowOverlays scope={scope} />
    </>
  );
}
