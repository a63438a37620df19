import type { Todo } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { Check, CircleCheck, Pencil, RotateCcw, SquareCheckBig } from 'icons';
import { useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { hasEditDraft } from '../../data/unsent/drafts.ts';
import { Button } from '../../ui/button.tsx';
import { ItemPanel } from '../../ui/items/item-panel.tsx';
import { SourceMessage } from '../../ui/items/source-line.tsx';
import { TextEditor } from '../../ui/items/text-editor.tsx';
import { useCheck, useTodoChanges } from '../../ui/items/todo-changes.ts';
import { UnsavedEdit } from '../../ui/items/unsaved-edit.tsx';
import { When } from '../../ui/items/when.tsx';
import { PostBody } from '../../ui/posts/post-body.tsx';
import { TodoFacts } from './todo-facts.tsx';

/** The panel of a to-do. Each change is saved immediately. */
export function TodoPanel({ id }: { id: string }) {
  const { me } = useWorkspace();
  const [editing, setEditing] = useState<Editing>(() => (hasEditDraft(me.peek().id, id) ? 'title' : null));
  return (
    <ItemPanel
      id={id}
      kind="todo"
      isEditing={editing !== null}
      onEdit={() => setEditing('title')}
      foot={(todo) => <DoneButton todo={todo} />}
    >
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
  const view = useTodoChanges().shown(todo);
  const { isDone, box } = useCheck(todo);
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
          <input class="check" {...box} aria-labelledby={`panel-${todo.id}`} />
          <h3 id={`panel-${todo.id}`}>
            <bdi>{todo.title}</bdi>
          </h3>
        </div>
      )}
      <TodoFacts todo={view} />
      {editing === null && <Content todo={todo} onEdit={onEdit} />}
      {todo.sourceId !== null && <SourceMessage id={todo.sourceId} hubId={todo.hubId} />}
      <TodoTrail todo={view} />
    </>
  );
}

function Content({ todo, onEdit }: Pick<DetailsProps, 'todo' | 'onEdit'>) {
  return (
    <>
      {todo.content === null ? (
        <Button variant="is-bare is-small" label="Add a description" onClick={() => onEdit('content')} />
      ) : (
        <PostBody item={todo} />
      )}
      <UnsavedEdit id={todo.id} onOpen={() => onEdit('title')} />
    </>
  );
}

function DoneButton({ todo }: { todo: Todo }) {
  const { isDone, button } = useCheck(todo);
  return (
    <div class="toolbar">
      <Button {...button}>
        {isDone ? <RotateCcw /> : <Check />} {isDone ? 'Reopen' : 'Mark as done'}
      </Button>
    </div>
  );
}

/** The history of a to-do: who created, edited and completed it, and when. */
function TodoTrail({ todo }: { todo: Todo }) {
  const { author, createdAt, editedAt, editedBy, finishedAt, finishedBy, sourceId, status } = todo;
  return (
    <ul class="history">
      <li>
        <SquareCheckBig />
        <span>
          <bdi>{authorText(todo)}</bdi> created this{sourceId !== null && ' from a message'}, <When at={createdAt} />
        </span>
      </li>
      {editedAt !== null && (
        <li>
          <Pencil />
          <span>
            <bdi>{(editedBy ?? author).name}</bdi> edited it, <When at={editedAt} />
          </span>
        </li>
      )}
      {status === 'done' && finishedAt !== null && (
        <li>
          <CircleCheck />
          <span>
            {finishedBy === null ? 'Done' : <bdi>{finishedBy.name} completed it</bdi>}, <When at={finishedAt} />
          </span>
        </li>
      )}
    </ul>
  );
}
