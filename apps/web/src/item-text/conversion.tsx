import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Message, Todo } from '@hub/contract';
import { useItem } from '../items/use-item.ts';
import { noteTitle } from '../notes/note-title.ts';
import { withPanel } from '../router/location.ts';
import { now } from '../time/now.ts';
import { todoStanding } from '../todos/todo-state.ts';
import { useTodoChanges } from '../todos/use-todo-changes.ts';

/** What a message was turned into, and how that stands, live. What became of it may be gone. */
export function Became({ kind, id }: NonNullable<Message['conversion']>) {
  const found = useItem(id);
  const changes = useTodoChanges();
  const item = found.status === 'found' && found.item.deletedAt === null ? found.item : null;
  if (item?.kind === 'todo') return <TodoBecome todo={changes.shown(item)} />;
  if (item?.kind === 'note') return <Badge id={id} kind="note" title={noteTitle(item)} state="note" />;
  // Until it is there, or if it does not come, its room is kept and its panel can be opened.
  const isUnknown = found.status === 'loading' || found.status === 'failed';
  return isUnknown ? <Badge id={id} kind={kind} title={kind === 'todo' ? 'To-do' : 'Note'} state="" /> : null;
}

function TodoBecome({ todo }: { todo: Todo }) {
  const { id, title, status } = todo;
  const state = todoStanding(todo, now.value);
  return <Badge id={id} kind="todo" title={title} state={state} isDone={status === 'done'} />;
}

interface BadgeProps {
  id: string;
  kind: 'todo' | 'note';
  title: string;
  state: string;
  isDone?: boolean;
}

function Badge({ id, kind, title, state, isDone = false }: BadgeProps) {
  return (
    <div class="under">
      <a class={isDone ? 'conversion is-done' : 'conversion'} href={withPanel(id)}>
        {kind === 'todo' ? <SquareCheckBig /> : <StickyNote />}
        <span class="sr">Became a {kind === 'todo' ? 'to-do' : 'note'}: </span>
        <bdi class="t">{title}</bdi>
        {state !== '' && <span class="m">{state}</span>}
      </a>
    </div>
  );
}
