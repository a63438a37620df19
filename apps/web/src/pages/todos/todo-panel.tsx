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
import { When } from '../../ui/items/when.tsx';
import { PostBody } from '../../ui/posts/post-body.tsx';
import { TodoFacts } from './todo-facts.tsx';

/** The panel of a to-do. Each change is saved immediately. */
export function TodoPanel({ id }: { id: string }) {
  const { me } = useWorkspace();
  const [isEditing, setEditing] = useState(() => hasEditDraft(me.peek().id, id));
  return (
    <ItemPanel
      id={id}
      kind="todo"
      isEditing={isEditing}
      onEdit={() => setEditing(true)}
      foot={(todo) => <DoneButton todo={todo} />}
    >
      {(todo) => <Details todo={todo} isEditing={isEditing} onEdit={setEditing} />}
    </ItemPanel>
  );
}

interface DetailsProps {
  todo: Todo;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
}

function Details({ todo, isEditing, onEdit }: DetailsProps) {
  const shown = useTodoChanges().shown(todo);
  const { isDone, box } = useCheck(todo);
  return (
    <>
      {isEditing ? (
        <TextEditor
          item={todo}
          titleLabel="Title"
          maxContent={LIMITS.todoContentCodePoints}
          onDone={() => onEdit(false)}
        />
      ) : (
        <div class={isDone ? 'detail-head is-done' : 'detail-head'}>
          <input class="check" {...box} aria-labelledby={`panel-${todo.id}`} />
          <h3 id={`panel-${todo.id}`}>
            <bdi>{todo.title}</bdi>
          </h3>
        </div>
      )}
      <TodoFacts todo={shown} />
      {!isEditing && <Content todo={todo} onEdit={() => onEdit(true)} />}
      {todo.sourceId !== null && <SourceMessage id={todo.sourceId} hubId={todo.hubId} />}
      <TodoTrail todo={shown} />
    </>
  );
}

function Content({ todo, onEdit }: { todo: Todo; onEdit: () => void }) {
  if (todo.content !== null) return <PostBody item={todo} />;
  return <Button look="is-bare is-small" label="Add a description" onClick={onEdit} />;
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
  const { createdAt, editedAt, editedBy, finishedAt, finishedBy, sourceId, status } = todo;
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
            {editedBy === null ? 'Edited' : <bdi>{editedBy.name} edited it</bdi>}, <When at={editedAt} />
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
