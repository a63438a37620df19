import type { Me } from '@hub/contract';
import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import { hasAttention } from '../../lib/attention.ts';
import { closePanel, match, navigate, openItemId, route } from '../../lib/router/location.ts';
import { isNarrow, isSheet } from '../../lib/widths.ts';
import { ConfirmPassword } from '../../ui/forms/confirm-password.tsx';
import { fetchAhead, lazy } from '../../ui/page/lazy.tsx';
import { ErrorBoundary, Loading } from '../../ui/page/load-states.tsx';
import { closeDrawer, isDrawerOpen, Page } from '../../ui/page/navigation.tsx';
import { Panel, PanelSkeleton, usePanelFocus } from '../../ui/panels/panel.tsx';
import { Toasts, toast } from '../../ui/toast.tsx';
import type { HubTab } from '../hub/hub-header.tsx';
import { HubPage } from '../hub/hub-page.tsx';
import { IssueKeyOverlay } from '../settings/keys/issue-key-overlay.tsx';
import { streamFeed } from '../stream/stream-list.ts';
import { ConnectionToast } from './connection.tsx';
import { useArrival, useLiveMe, useLiveUsers } from './frame-hooks.ts';
import { FrameShortcuts } from './frame-shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';

const StreamPage = page('/stream', 'Stream', async () => (await import('../stream/stream-page.tsx')).StreamPage);
const MyTodosPage = page('/todos', 'My to-dos', async () => (await import('../todos/todo-pages.tsx')).MyTodosPage);
const SearchPage = page('/search', 'Search', async () => (await import('../search/search-page.tsx')).SearchPage);
const MentionsPage = page('/mentions', 'For you', async () => {
  return (await import('../mentions/mentions-page.tsx')).MentionsPage;
});
const SettingsPage = page('/settings', 'Settings', async () => {
  return (await import('../settings/settings-page.tsx')).SettingsPage;
});
const ResolvePage = page('/p', 'Post', async () => (await import('../fallback/fallback-pages.tsx')).ResolvePage);
const NotFound = lazy(async () => (await import('../fallback/fallback-pages.tsx')).NotFound, { isPage: true });
const OutsideHubPage = lazy(async () => (await import('../fallback/fallback-pages.tsx')).OutsideHubPage, {
  isPage: true,
  around: ({ hub }, instead, isComing) => (
    <Page title={hub.name} isBusy={isComing}>
      {instead}
    </Page>
  ),
});

function page<Props extends object>(path: string, title: string, load: () => Promise<ComponentType<Props>>) {
  return lazy(load, { isPage: true, path, title, takesText: path === '/search' });
}

export function WorkspacePages() {
  const workspace = useWorkspace();
  const { hubs } = workspace;
  const isPanelOpen = openItemId.value !== null;
  const isCovered = isPanelOpen && isSheet.value;
  useArrival();
  useLiveUsers();
  useLiveMe();
  useOpenedMention();
  useEffect(() => void fetchAhead(hubs), []);
  // Sends messages that were still in the outbox when the page was closed, no matter which page opens now.
  useEffect(() => void outboxOf(workspace), []);
  useSignalEffect(() => {
    if (!isNarrow.value) closeDrawer({ isLeaving: true });
  });
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class={isPanelOpen ? 'app has-panel' : 'app'}>
        <div class="part" inert={isCovered || (isNarrow.value && !isDrawerOpen.value)}>
          <Sidebar />
        </div>
        {isDrawerOpen.value && <div class="backdrop is-drawer" onClick={() => closeDrawer()} />}
        <div class="part" inert={isCovered || isDrawerOpen.value}>
          <ErrorBoundary what="This page" at={route.value.path}>
            <RoutedPage />
          </ErrorBoundary>
        </div>
        <div class="part" inert={isDrawerOpen.value}>
          <OpenPanel />
        </div>
      </div>
      <FrameShortcuts />
      <IssueKeyOverlay />
      <ConfirmPassword />
      <ConnectionToast />
      <Toasts />
    </>
  );
}

function RoutedPage() {
  const { path } = route.value;
  if (path === '/') return <StartPage />;
  if (path === '/stream') return <StartedStream />;
  if (path === '/todos') return <MyTodosPage />;
  if (path === '/mentions') return <MentionsPage />;
  if (path === '/search') return <SearchPage />;
  if (path === '/settings') return <SettingsPage />;
  const settings = match('/settings/:section', path);
  if (settings) return <SettingsPage name={settings.section} />;
  const post = match('/p/:postId', path);
  if (post) return <ResolvePage key={post.postId} {...post} />;
  const conversation = match('/hubs/:hubId', path);
  if (conversation) return <OwnHubPage {...conversation} tab="conversation" />;
  const todos = match('/hubs/:hubId/todos', path);
  if (todos) return <OwnHubPage {...todos} tab="todos" />;
  const notes = match('/hubs/:hubId/notes', path);
  if (notes) return <OwnHubPage {...notes} tab="notes" />;
  const files = match('/hubs/:hubId/files', path);
  if (files) return <OwnHubPage {...files} tab="files" />;
  return <NotFound />;
}

function StartedStream() {
  useStartOfStream(true);
  return <StreamPage />;
}

/** When the app starts with the Stream, the items load together with the Hubs and the code of the page. */
function useStartOfStream(isNext: boolean): void {
  const workspace = useWorkspace();
  useMemo(() => {
    if (isNext && !workspace.hubs.isLoaded.peek()) streamFeed(workspace);
  }, []);
}

/** Admins can also open Hubs that they are not members of. */
function OwnHubPage({ hubId, tab }: { hubId: string; tab: HubTab }) {
  const hub = useWorkspace().hubs.find(hubId);
  if (hub && !hub.isMember) return <OutsideHubPage hub={hub} />;
  return <HubPage key={hubId} hubId={hubId} tab={tab} />;
}

/** The query parameters that open an item: in its list, in a panel, or as a reply in a thread. */
const LEADS_TO = ['at', 'open', 'reply'] as const;

function useOpenedMention(): void {
  const { mentions } = useWorkspace().hubs;
  useSignalEffect(() => {
    const { query } = route.value;
    const opened = LEADS_TO.map((name) => query.get(name)).filter((id) => id !== null);
    if (hasAttention.value && opened.some((id) => mentions.has(id))) mentions.markRead(opened).catch(() => {});
  });
}

/** The root of the workspace: opens the Stream, or the first Hub after the setup. */
function StartPage() {
  const { me, hubs } = useWorkspace();
  const isLoaded = hubs.isLoaded.value;
  const welcome = route.value.query.get('welcome');
  useStartOfStream(welcome !== 'setup');
  useEffect(() => {
    if (welcome === 'setup' && !isLoaded) return;
    const [first] = hubs.mine.peek();
    const text = welcomeText(welcome, me.peek());
    if (text !== null) toast(text);
    navigate(welcome === 'setup' && first ? `/hubs/${first.id}` : '/stream', { replace: true });
  }, [isLoaded]);
  return (
    <main class="main" id="main">
      <Loading />
    </main>
  );
}

/** Returns the message for a user who arrives through a link, or null: after the setup, the first Hub says it all. */
function welcomeText(kind: string | null, { name, workspace }: Pick<Me, 'name' | 'workspace'>): string | null {
  if (kind === 'invitation') return `Welcome to ${workspace.name}, ${name}`;
  if (kind === 'password_reset') return 'Password changed.';
  if (kind === 'email_change') return 'E-mail address changed.';
  return null;
}

const ThreadPanel = lazy(async () => (await import('../feed/thread.tsx')).ThreadPanel, {
  around: around({ title: 'Thread', what: 'the thread' }),
  takesText: true,
});
const OriginPanel = lazy(async () => (await import('../hub/origin-panel.tsx')).OriginPanel, {
  around: around({ title: 'Key', what: 'the key' }),
});
const TodoPanel = lazy(async () => (await import('../todos/todo-panel.tsx')).TodoPanel, {
  around: around({ title: 'To-do', what: 'the to-do' }),
});
const NotePanel = lazy(async () => (await import('../notes/note-panel.tsx')).NotePanel, {
  around: around({ title: 'Note', what: 'the note', isWide: true }),
});

interface LazyPanel {
  title: string;
  what: string;
  isWide?: boolean;
}

/** Wraps a panel while its code loads, so that the page beside it has its final layout from the start. */
function around(awaited: LazyPanel) {
  return ({ id }: { id: string }, instead: ComponentChildren, isComing: boolean) => (
    <LazyPanelFrame {...awaited} id={id} isComing={isComing}>
      {instead}
    </LazyPanelFrame>
  );
}

interface LazyPanelFrameProps extends LazyPanel {
  id: string;
  isComing: boolean;
  children: ComponentChildren;
}

function LazyPanelFrame({ id, title, what, isWide = false, isComing, children }: LazyPanelFrameProps) {
  const { hubs, items } = useWorkspace();
  const hubName = hubs.find(items.get(id).value?.hubId ?? '')?.name ?? '';
  return (
    <Panel title={title} hubName={hubName} isWide={isWide} isAwaited>
      {isComing ? <PanelSkeleton what={what} /> : children}
    </Panel>
  );
}

function OpenPanel() {
  const id = openItemId.value;
  usePanelFocus();
  if (id === null) return null;
  return (
    <>
      <div class="backdrop is-panel" onClick={closePanel} />
      <ErrorBoundary key={id} what="This panel">
        <PanelOf id={id} />
      </ErrorBoundary>
    </>
  );
}

/** `?open=` names the item; `&show=origin` opens its key instead. */
function PanelOf({ id }: { id: string }) {
  if (route.value.query.get('show') === 'origin') return <OriginPanel key={id} id={id} />;
  if (id.startsWith('todo_')) return <TodoPanel key={id} id={id} />;
  if (id.startsWith('note_')) return <NotePanel key={id} id={id} />;
  return <ThreadPanel key={id} id={id} />;
}
