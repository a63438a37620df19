import type { Hub } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useWorkspace } from '../../data/live/workspace.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import { Composer } from '../../ui/composer/composer.tsx';
import { OutboxRows } from '../../ui/composer/outbox-rows.tsx';
import { EmptyArt } from '../../ui/icons/empty-art.tsx';
import { FirstCommands } from '../../ui/items/first-commands.tsx';
import { ErrorNotice } from '../../ui/page/error-notice.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { Loading } from '../../ui/page/loading.tsx';
import { NotFound } from '../../ui/page/not-found.tsx';
import { openIssueKey } from '../settings/issue-key/issue-key-overlay.tsx';
import { Feed } from './feed.tsx';
import { FeedSkeleton, JumpToNewest } from './feed-edges.tsx';
import { HubHeader, type HubTab } from './hub-header.tsx';
import { editLast } from './message-actions.ts';
import { focusComposer, focusRows, useRowKeys } from './row-keys.ts';
import { RowOverlays } from './row-overlays.tsx';
import type { RowScope } from './row-scope.ts';
import { useConversation } from './use-conversation.ts';

const TodosTab = lazy(async () => (await import('../todos/todos-tab.tsx')).TodosTab, { isPage: true });
const NotesTab = lazy(async () => (await import('../notes/notes-tab.tsx')).NotesTab, { isPage: true });

/** The page of a Hub: its conversation, to-dos or notes. */
export function HubPage({ hubId, tab }: { hubId: string; tab: HubTab }) {
  const { hubs } = useWorkspace();
  const hub = hubs.find(hubId);
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

/** The empty state of a Hub without posts. */
function EmptyHub({ hub, scope }: { hub: Hub; scope: RowScope }) {
  // The workspace may not allow members to issue keys.
  const isAdmin = useWorkspace().me.value.role !== 'member';
  return (
    <div class="feed-cover">
      <div class="empty">
        <EmptyArt />
        <h2>No posts yet</h2>
        <p>Programs post here with a key.</p>
        <div class="actions">
          <button class="btn is-main" type="button" onClick={() => openIssueKey(hub.id)}>
            Issue a key
          </button>
          <button class="btn" type="button" onClick={() => focusComposer(scope)}>
            Write a message
          </button>
        </div>
        {isAdmin && <FirstCommands hub={hub} />}
      </div>
    </div>
  );
}
