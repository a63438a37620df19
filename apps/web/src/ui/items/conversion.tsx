import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Message, Todo } from '@hub/contract';
import { useItem } from '../../data/live/use-item.ts';
import { noteTitle } from '../../lib/posts/excerpt.ts';
import { withPanel } from '../../lib/router/location.ts';
import { now } from '../../lib/time/now.ts';
import { todoStatusText } from '../../lib/todos/todo-state.ts';
import { useTodoChanges } from './use-todo-changes.ts';

/** The result of a conversion with its live status. The result may be deleted. */
export function ConversionBadge({ kind, id }: NonNullable<Message['conversion']>) {
  const found = useItem(id);
  const changes = useTodoChanges();
  const item = found.status === 'found' && found.item.deletedAt === null ? found.item : null;
  if (item?.kind === 'todo') return <TodoBadge todo={changes.shown(item)} />;
  if (item?.kind === 'note') return <Badge id={id} kind="note" title={noteTitle(item)} state="note" />;
  // Keep its space while it loads or if it fails to load; its panel can be opened either way.
  const isUnknown = found.status === 'loading' || found.status === 'failed';
  return isUnknown ? <Badge id={id} kind={kind} title={kind === 'todo' ? 'To-do' : 'Note'} state="" /> : null;
}

function TodoBadge({ todo }: { todo: Todo }) {
  const { id, title, status } = todo;
  const state = todoStatusText(todo, now.value);
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
        <span class="sr">Converted to a {kind === 'todo' ? 'to-do' : 'note'}: </span>
        <bdi class="t">{title}</bdi>
        {state !== '' && <span class="m">{state}</span>}
      </a>
    </div>
  );
}
