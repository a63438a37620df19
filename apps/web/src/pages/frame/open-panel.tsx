import type { ComponentChildren } from 'preact';
import { useWorkspace } from '../../data/live/workspace.ts';
import { closePanel, openItemId, route } from '../../lib/router/location.ts';
import { lazy } from '../../ui/page/lazy.tsx';
import { ErrorBoundary } from '../../ui/page/load-states.tsx';
import { Panel, PanelSkeleton } from '../../ui/panels/panel.tsx';
import { usePanelFocus } from '../../ui/panels/panel-focus.ts';

const ThreadPanel = lazy(async () => (await import('../hub/thread-panel.tsx')).ThreadPanel, {
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

/** The panel that the URL opens beside the page, or over it on narrow screens. */
export function OpenPanel() {
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
