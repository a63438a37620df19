import type { Todo } from '@hub/contract';
import { useState } from 'preact/hooks';
import { now } from '../../lib/time/now.ts';
import { dueGroup, dueSentence } from '../../lib/todos/due.ts';
import { CreatedBy } from '../../ui/items/source-line.tsx';
import { changeTodo, useTodoChanges } from '../../ui/items/use-todo-changes.ts';
import { HubMemberPicker } from '../../ui/members/user-picker.tsx';
import { Menu } from '../../ui/menu.tsx';
import { DueEditor } from './due-editor.tsx';
import { PRIORITIES, priorityLabel } from './priorities.ts';
import { PriorityBars } from './priority-bars.tsx';
import { Assignee } from './todo-row.tsx';

/** The assignee, due date, priority and source of a to-do. */
export function TodoFacts({ todo }: { todo: Todo }) {
  return (
    <dl class="facts">
      <dt>Assignee</dt>
      <dd>
        <AssigneeFact todo={todo} />
      </dd>
      <dt>Due</dt>
      <dd>
        <DueFact todo={todo} />
      </dd>
      <dt>Priority</dt>
      <dd>
        <PriorityFact todo={todo} />
      </dd>
      <dt>Source</dt>
      <dd>
        <CreatedBy item={todo} />
      </dd>
    </dl>
  );
}

const NO_ASSIGNEE = [{ value: null, label: 'Unassigned' }] as const;

function AssigneeFact({ todo: { id, hubId, assignee } }: { todo: Todo }) {
  const changes = useTodoChanges();
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        class={assignee === null ? 'fact is-none' : 'fact'}
        type="button"
        aria-haspopup="listbox"
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        <span aria-hidden="true">
          <Assignee user={assignee} />
        </span>
        <span class="sr">Assignee: </span>
        <bdi>{assignee?.name ?? 'Unassigned'}</bdi>
      </button>
      {opener && (
        <HubMemberPicker
          hubId={hubId}
          label="Assignee"
          chosen={assignee?.id ?? null}
          others={NO_ASSIGNEE}
          onChoose={(_, user) => void changeTodo(changes, id, { assignee: user })}
          onClose={() => setOpener(null)}
          opener={opener}
        />
      )}
    </>
  );
}

function DueFact({ todo: { id, dueDate, status } }: { todo: Todo }) {
  const changes = useTodoChanges();
  const [isOpen, setOpen] = useState(false);
  const isLate = status === 'open' && dueGroup(dueDate, now.value) === 'overdue';
  return (
    <>
      <button
        class={dueDate === null ? 'fact is-none' : isLate ? 'fact is-late' : 'fact'}
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="sr">{isLate ? 'Overdue, due: ' : 'Due: '}</span>
        {dueDate === null ? 'No date' : dueSentence(dueDate, now.value)}
      </button>
      {isOpen && (
        <DueEditor
          dueDate={dueDate}
          onChange={(next) => void changeTodo(changes, id, { dueDate: next })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function PriorityFact({ todo: { id, priority } }: { todo: Todo }) {
  const changes = useTodoChanges();
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        class={priority === null ? 'fact is-none' : 'fact'}
        type="button"
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        <PriorityBars priority={priority} isNamed={true} />
        <span class="sr">Priority: </span>
        {priorityLabel(priority)}
      </button>
      {opener && (
        <Menu
          label="Priority"
          opener={opener}
          onClose={() => setOpener(null)}
          items={[...PRIORITIES, null].map((choice) => ({
            label: priorityLabel(choice),
            icon: <PriorityBars priority={choice} isNamed={true} />,
            isChosen: choice === priority,
            run: () => void changeTodo(changes, id, { priority: choice }),
          }))}
        />
      )}
    </>
  );
}
