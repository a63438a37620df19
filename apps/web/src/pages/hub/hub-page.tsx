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
import { conversationOf } from '../feed/conversation.ts';
import { FeedSkeleton, JumpToNewest } from '../feed/feed-edges.tsx';
import { editLast } from '../feed/message-actions.ts';
import { MessagesFeed } from '../feed/messages-feed.tsx';
import { focusRows, useRowKeys } from '../feed/row-keys.ts';
import { HubHeader, type HubTab } from './hub-header.tsx';
import { useConversation } from './use-conversation.ts';

const NotFound = lazy(async () => (await import('../fallback/fallback-pages.tsx')).NotFound, { isPage: true });
const FilteredTab = lazy(async () => (await import('../stream/stream-page.tsx')).FilteredTab, { isPage: true });
const PinnedItems = lazy(async () => (await import('./pinned-items.tsx')).PinnedItems);
const EmptyHub = lazy(async () => (await import('./empty-hub.tsx')).EmptyHub);
const FirstPost = lazy(async () => (await import('./empty-hub.tsx')).FirstPost);
const TodosTab = lazy(async () => (await import('../todos/todo-pages.tsx')).TodosTab, { isPage: true });
const NotesTab = lazy(async () => (await import('../notes/notes-tab.tsx')).NotesTab, { isPage: true });
const FilesTab = lazy(async () => (await import('./files-tab.tsx')).FilesTab, { isPage: true });

export function HubPage({ hubId, tab }: { hubId: string; tab: HubTab }) {
  const { hubs, items } = useWorkspace();
  const hub = hubs.find(hubId);
  useMemo(() => {
    // When the app starts here, the messages load together with the Hubs.
    if (tab === 'conversation' && !hubs.isLoaded.peek()) conversationOf(items, hubId, route.peek().query.get('at'));
  }, []);
  if (!hub) return hubs.isLoaded.value ? <NotFound /> : <Loading />;
  const hasPins = (hub.pinnedIds?.length ?? 0) > 0;
  return (
    <main class={hasPins ? 'main has-pins' : 'main'} id="main">
      <HubHeader hub={hub} tab={tab} />
      {hasPins && (
        <section class="pins" aria-label="Pinned">
          <PinnedItems hub={hub} />
        </section>
      )}
      {tab === 'conversation' && (isFiltered() ? <FilteredTab hub={hub} /> : <ConversationTab hub={hub} />)}
      {tab === 'todos' && <TodosTab hub={hub} />}
      {tab === 'notes' && <NotesTab hub={hub} />}
      {tab === 'files' && <FilesTab hub={hub} />}
    </main>
  );
}

function isFiltered(): boolean {
  return ['filter', 'unread', 'key'].some((name) => route.value.query.has(name));
}

function ConversationTab({ hub }: { hub: Hub }) {
  const workspace = useWorkspace();
  const { list, view, scope, divider } = useConversation(hub);
  useRowKeys(scope);
  const state = list.state.value;
  const isUnsent = outboxOf(workspace).all.value.some(({ draftKey }) => draftKey === hub.id);
  const count = useComputed(() => Math.min(list.items.value.length, 2)).value;
  const isEmpty = count === 0 && !isUnsent;
  return (
    <>
      <div class="feed-box">
        <MessagesFeed
          label={`Conversation in ${hub.name}`}
          list={list}
          view={view}
          scope={scope}
          unreadAfter={divider.after.value}
          unreadCount={hub.unreadCounts?.message ?? 0}
          isSpotSaved
          beginning={`This is the beginning of ${hub.name}.`}
        >
          <OutboxRows draftKey={hub.id} />
          {count === 1 && !list.hasOlder.value && <FirstPost />}
        </MessagesFeed>
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
    </>
  );
}
