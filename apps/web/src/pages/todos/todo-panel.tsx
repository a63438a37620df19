import Check from 'icon:check';
import RotateCcw from 'icon:rotate-ccw';
import type { Todo } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { hasEditDraft } from '../../data/unsent/edit-draft.ts';
import { ItemPanel } from '../../ui/items/item-panel.tsx';
import { SourceMessage } from '../../ui/items/source-line.tsx';
import { TextEditor } from '../../ui/items/text-editor.tsx';
import { useTodoChanges } from '../../ui/items/use-todo-changes.ts';
import { PostBody } from '../../ui/posts/post-body.tsx';
import { TodoFacts } from './todo-facts.tsx';
import { TodoTrail } from './todo-trail.tsx';
import { useCheck } from './use-check.ts';

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
  return (
    <button class="btn is-bare is-small" type="button" onClick={onEdit}>
      Add a description
    </button>
  );
}

function DoneButton({ todo }: { todo: Todo }) {
  const { isDone, button } = useCheck(todo);
  return (
    <div class="toolbar">
      <button class="btn" type="button" {...button}>
        {isDone ? <RotateCcw /> : <Check />} {isDone ? 'Reopen' : 'Mark as done'}
      </button>
    </div>
  );
}
