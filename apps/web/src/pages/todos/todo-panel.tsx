import type { Priority, Todo, TodoChange } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { Check, CircleCheck, History, Pencil, RotateCcw, SquareCheckBig } from 'icons';
import { useRef, useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import { useResource, useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { hasEditDraft } from '../../data/unsent/drafts.ts';
import { dayAndTime } from '../../lib/time/dates.ts';
import { Button } from '../../ui/button.tsx';
import { SourceMessage } from '../../ui/items/conversion.tsx';
import { UnsavedEdit } from '../../ui/items/row-parts.tsx';
import { TextEditor } from '../../ui/items/text-editor.tsx';
import { useCheck } from '../../ui/items/todo-changes.ts';
import { When } from '../../ui/items/when.tsx';
import { PostBody } from '../../ui/posts/post.tsx';
import { ItemPanel } from '../feed/item-panel.tsx';
import { TodoFacts } from './todo-facts.tsx';
import { priorityLabel } from './todo-query.ts';

/** The panel of a to-do. Each change is saved immediately. */
export function TodoPanel({ id }: { id: string }) {
  const { me } = useWorkspace();
  const [editing, setEditing] = useState<Editing>(() => (hasEditDraft(me.peek().id, id) ? 'title' : null));
  return (
    <ItemPanel id={id} kind="todo" isEditing={editing !== null} onEdit={() => setEditing('title')}>
      {(todo) => <Details todo={todo} editing={editing} onEdit={setEditing} />}
    </ItemPanel>
  );
}

/** The field that an edit starts in; null while the to-do is not edited. */
type Editing = 'title' | 'content' | null;

interface DetailsProps {
  todo: Todo;
  editing: Editing;
  onEdit: (editing: Editing) => void;
}

function Details({ todo, editing, onEdit }: DetailsProps) {
  const isDone = todo.status === 'done';
  const check = useCheck(todo);
  return (
    <>
      {editing !== null ? (
        <TextEditor
          item={todo}
          titleLabel="Title"
          maxContent={LIMITS.todoContentCodePoints}
          startsInContent={editing === 'content'}
          onDone={() => onEdit(null)}
          onReopen={() => onEdit('title')}
        />
      ) : (
        <div class={isDone ? 'detail-head is-done' : 'detail-head'}>
          <input class="check" type="checkbox" checked={isDone} {...check} aria-labelledby={`panel-${todo.id}`} />
          <h3 id={`panel-${todo.id}`}>
            <bdi>{todo.title}</bdi>
          </h3>
        </div>
      )}
      <TodoFacts todo={todo} />
      {editing === null && <Content todo={todo} onEdit={onEdit} />}
      <Button {...check}>
        {isDone ? <RotateCcw /> : <Check />} {isDone ? 'Reopen' : 'Mark as done'}
      </Button>
      {todo.sourceId !== null && <SourceMessage id={todo.sourceId} hubId={todo.hubId} />}
      <TodoTrail todo={todo} />
    </>
  );
}

function Content({ todo, onEdit }: Pick<DetailsProps, 'todo' | 'onEdit'>) {
  return (
    <>
      {(todo.content !== null || todo.files) && <PostBody item={todo} />}
      {todo.content === null && (
        <Button variant="is-bare is-small" label="Add a description" onClick={() => onEdit('content')} />
      )}
      <UnsavedEdit id={todo.id} onOpen={() => onEdit('title')} />
    </>
  );
}

/** Says what a change did: "assigned this to Ada Lovelace". */
function changeText(field: TodoChange['field'] | 'text', to: string | null): string {
  if (field === 'text') return 'edited it';
  if (field === 'status') return to === 'done' ? 'completed it' : 'reopened it';
  if (field === 'assignee') return to === null ? 'unassigned this' : `assigned this to ${to}`;
  const name = field === 'dueDate' ? 'due date' : field;
  if (to === null) return `removed the ${name}`;
  const shown = field === 'dueDate' ? dayAndTime(to) : field === 'priority' ? priorityLabel(to as Priority) : to;
  return `set the ${name} to ${shown}`;
}

/** The history of a to-do: who created, edited, assigned, scheduled, prioritized, completed and reopened it, and when. */
function TodoTrail({ todo }: { todo: Todo }) {
  const { id, version, author, createdAt, editedAt, editedBy, sourceId } = todo;
  const { value } = useResource((signal) => request('GET /todos/{todoId}/history', { todoId: id, signal }), {
    key: `${id} ${version}`,
  });
  const last = useRef<readonly TodoChange[]>([]);
  // The former ones stay while those after a change load.
  if (value) last.current = value.items.toReversed();
  const edit = { field: 'text' as const, to: null, at: editedAt ?? '', by: editedBy ?? author };
  const entries = editedAt === null ? last.current : [...last.current, edit];
  return (
    <ul class="history">
      <li>
        <SquareCheckBig />
        <span>
          <bdi>{authorText(todo)}</bdi> created this{sourceId !== null && ' from a message'}, <When at={createdAt} />
        </span>
      </li>
      {entries
        .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
        .map(({ field, to, at, by }) => (
          <li key={`${at} ${field}`}>
            {field === 'text' ? <Pencil /> : field === 'status' && to === 'done' ? <CircleCheck /> : <History />}
            <span>
              <bdi>{by?.name ?? 'The local admin'}</bdi> {changeText(field, to)}, <When at={at} />
            </span>
          </li>
        ))}
    </ul>
  );
}
