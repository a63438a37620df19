import type { ComponentChildren } from 'preact';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { ThreadPanel } from '../hub/thread-panel.tsx';
import { navigate, openItemId, place, withPanel } from '../router/location.ts';
import { later } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { Panel } from './panel.tsx';
import { usePanelFocus } from './panel-focus.ts';
import { PanelSkeleton } from './panel-skeleton.tsx';

const OriginPanel = later(async () => (await import('../hub/origin-panel.tsx')).OriginPanel, {
  around: around({ title: 'Where this came from', what: 'where this came from' }),
});
const TodoPanel = later(async () => (await import('../todos/todo-panel.tsx')).TodoPanel, {
  around: around({ title: 'To-do', what: 'the to-do' }),
});
const NotePanel = later(async () => (await import('../notes/note-panel.tsx')).NotePanel, {
  around: around({ title: 'Note', what: 'the note', isWide: true }),
});

interface Awaited {
  title: string;
  what: string;
  isWide?: boolean;
}

/** The frame of a panel whose code is coming, so that the page beside it has its place at once. */
function around(awaited: Awaited) {
  return ({ id }: { id: string }, instead: ComponentChildren, isComing: boolean) => (
    <AwaitedPanel {...awaited} id={id} isComing={isComing}>
      {instead}
    </AwaitedPanel>
  );
}

interface AwaitedPanelProps extends Awaited {
  id: string;
  isComing: boolean;
  children: ComponentChildren;
}

function AwaitedPanel({ id, title, what, isWide = false, isComing, children }: AwaitedPanelProps) {
  const { hubs, items } = useWorkspace();
  const hubName = hubs.find(items.get(id).value?.hubId ?? '')?.name ?? '';
  return (
    <Panel title={title} hubName={hubName} isWide={isWide} isAwaited>
      {isComing ? <PanelSkeleton what={what} /> : children}
    </Panel>
  );
}

/** What the address opens beside the page, or over it where there is no room beside. */
export function OpenPanel() {
  const id = openItemId.value;
  usePanelFocus();
  if (id === null) return null;
  return (
    <>
      <div class="backdrop is-panel" onClick={() => navigate(withPanel(null))} />
      <ErrorBoundary key={id} what="This panel">
        <PanelOf id={id} />
      </ErrorBoundary>
    </>
  );
}

/** `?open=` an item, `&show=origin` where it came from. */
function PanelOf({ id }: { id: string }) {
  if (place.value.query.get('show') === 'origin') return <OriginPanel key={id} id={id} />;
  if (id.startsWith('todo_')) return <TodoPanel key={id} id={id} />;
  if (id.startsWith('note_')) return <NotePanel key={id} id={id} />;
  return <ThreadPanel key={id} id={id} />;
}
