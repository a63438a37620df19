import type { Hub } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import { route } from '../../lib/router/location.ts';
import { Composer } from '../../ui/composer/composer.tsx';
import { OutboxRows } from '../../ui/composer/outbox-rows.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { ErrorNotice, Loading } from '../../ui/page/load-states.tsx';
import { conversationOf } from './conversation.ts';
import { Feed } from './feed.tsx';
import { FeedSkeleton, JumpToNewest } from './feed-edges.tsx';
import { HubHeader, type HubTab } from './hub-header.tsx';
import { editLast } from './message-actions.ts';
import { focusRows, useRowKeys } from './row-keys.ts';
import { RowOverlays } from './row-overlays.tsx';
import { useConversation } from './use-conversation.ts';

const NotFound = lazy(async () => (await import('../fallback/fallback-pages.tsx')).NotFound, { isPage: true });
const EmptyHub = lazy(async () => (await import('./empty-hub.tsx')).EmptyHub);
const TodosTab = lazy(async () => (await import('../todos/todo-pages.tsx')).TodosTab, { isPage: true });
const NotesTab = lazy(async () => (await import('../notes/notes-tab.tsx')).NotesTab, { isPage: true });

/** The page of a Hub: its conversation, to-dos or notes. */
export function HubPage({ hubId, tab }: { hubId: string; tab: HubTab }) {
  const { hubs, items } = useWorkspace();
  const hub = hubs.find(hubId);
  useMemo(() => {
    // When the app starts here, the messages load together with the Hubs.
    if (tab === 'conversation' && !hubs.isLoaded.peek()) conversationOf(items, hubId, route.peek().query.get('at'));
  }, []);
  if (!hub) return hubs.isLoaded.value ? <NotFound /> : <Loading />;
  return (
    <main class="main" id="main">
      <HubHeader hub={hub} tab={tab} />
      {tab === 'conversation' && <ConversationTab hub={hub} />}
      {tab === 'todos' && <TodosTab hub={hub} />}
      {tab === 'notes' && <NotesTab hub={hub} />}
    </main>
  );
}

/** The messages of a Hub and the composer below them. */
function ConversationTab({ hub }: { hub: Hub }) {
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
            <ErrorNotice title="Couldn’t load messages" text={state.text} onRetry={() => void list.reload()} />
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
