import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { ThreadPanel } from '../hub/thread-panel.tsx';
import { navigate, openItemId, place, withPanel } from '../router/location.ts';
import { later } from '../ui/later.tsx';
import { usePanelFocus } from './panel-focus.ts';

const OriginPanel = later(async () => (await import('../hub/origin-panel.tsx')).OriginPanel);
const TodoPanel = later(async () => (await import('../todos/todo-panel.tsx')).TodoPanel);
const NotePanel = later(async () => (await import('../notes/note-panel.tsx')).NotePanel);

/** What the address opens beside the page, or over it where there is no room beside. */
export function OpenPanel() {
  const id = openItemId.value;
  usePanelFocus();
  if (id === null) return null;
  return (
    <>
      <div class="veil is-panel" onClick={() => navigate(withPanel(null))} />
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
