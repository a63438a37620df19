import type { Message, Todo } from '@hub/contract';
import { useItem } from '../../data/live/use-item.ts';
import { noteTitle } from '../../lib/posts/plain-text.ts';
import { todoStatusText } from '../../lib/time/due.ts';
import { now } from '../../lib/time/now.ts';
import { Badge } from './conversion-badge.tsx';
import { useTodoChanges } from './todo-changes.ts';

/** The result of a conversion with its live status. The result may be deleted. */
export function ConversionBadge({ kind, id }: NonNullable<Message['conversion']>) {
  const result = useItem(id);
  const changes = useTodoChanges();
  const item = result.status === 'found' && result.item.deletedAt === null ? result.item : null;
  if (item?.kind === 'todo') return <TodoBadge todo={changes.shown(item)} />;
  if (item?.kind === 'note') return <Badge id={id} kind="note" title={noteTitle(item)} state="note" />;
  // Keep its space while it loads or if it fails to load; its panel can be opened either way.
  const isUnknown = result.status === 'loading' || result.status === 'failed';
  return isUnknown ? <Badge id={id} kind={kind} /> : null;
}

function TodoBadge({ todo }: { todo: Todo }) {
  const { id, title, status } = todo;
  const state = todoStatusText(todo, now.value);
  return <Badge id={id} kind="todo" title={title} state={state} isDone={status === 'done'} />;
}
