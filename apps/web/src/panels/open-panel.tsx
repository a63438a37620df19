import { OriginPanel } from '../hub/origin-panel.tsx';
import { ThreadPanel } from '../hub/thread-panel.tsx';
import { NotePanel } from '../notes/note-panel.tsx';
import { openItemId, place } from '../router/location.ts';
import { TodoPanel } from '../todos/todo-panel.tsx';

/** What the address opens beside the page: `?open=` an item, `&show=origin` where it came from. */
export function OpenPanel() {
  const id = openItemId.value;
  if (id === null) return null;
  if (place.value.query.get('show') === 'origin') return <OriginPanel key={id} id={id} />;
  if (id.startsWith('todo_')) return <TodoPanel key={id} id={id} />;
  if (id.startsWith('note_')) return <NotePanel key={id} id={id} />;
  return <ThreadPanel key={id} id={id} />;
}
