import type { Todo } from '@hub/contract';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useBackToClose } from '../../lib/router/location.ts';
import { dayFromNow, dueFields, dueGroup, dueInstant, dueSentence } from '../../lib/time/due.ts';
import { now } from '../../lib/time/format.ts';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/forms/table.tsx';
import { CreatedBy } from '../../ui/items/conversion.tsx';
import { changeTodo } from '../../ui/items/todo-changes.ts';
import { AssigneeChoice, NO_ASSIGNEE } from '../../ui/members/user-picker.tsx';
import { MenuOpener } from '../../ui/menu.tsx';
import { PriorityBars, priorityItems } from './priority-bars.tsx';
import { priorityLabel, QUICK_DATES } from './todo-query.ts';
import { Assignee } from './todo-row.tsx';

/** The assignee, due date, priority and creator of a to-do. */
export function TodoFacts({ todo }: { todo: Todo }) {
  return (
    <dl class="facts">
      <Fact name="Assignee" value={<AssigneeFact todo={todo} />} />
      <Fact name="Due" value={<DueFact todo={todo} />} />
      <Fact name="Priority" value={<PriorityFact todo={todo} />} />
      <Fact name="Created by" value={<CreatedBy item={todo} />} />
    </dl>
  );
}

function AssigneeFact({ todo: { id, hubId, assignee } }: { todo: Todo }) {
  const { items } = useWorkspace();
  return (
    <AssigneeChoice
      class={assignee === null ? 'fact is-none' : 'fact'}
      hubId={hubId}
      chosen={assignee?.id ?? null}
      others={NO_ASSIGNEE}
      onChoose={(_, user) => void changeTodo(items, id, { assignee: user })}
    >
      <span aria-hidden="true">
        <Assignee user={assignee} />
      </span>
      <span class="sr">Assignee: </span>
      <bdi>{assignee?.name ?? 'Unassigned'}</bdi>
    </AssigneeChoice>
  );
}

function DueFact({ todo: { id, dueDate, status } }: { todo: Todo }) {
  const { items } = useWorkspace();
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
          onChange={(next) => void changeTodo(items, id, { dueDate: next })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function PriorityFact({ todo: { id, priority } }: { todo: Todo }) {
  const { items } = useWorkspace();
  return (
    <MenuOpener
      class={priority === null ? 'fact is-none' : 'fact'}
      label="Priority"
      items={() => priorityItems((next) => void changeTodo(items, id, { priority: next }), priority)}
    >
      <PriorityBars priority={priority} isNamed={true} />
      <span class="sr">Priority: </span>
      {priorityLabel(priority)}
    </MenuOpener>
  );
}

/** Years below this are ignored, because they occur while a year is being typed digit by digit. */
const FIRST_YEAR = 2000;

/** Edits a due date in the reader's time zone: four quick choices, or a day and an optional time. */
function DueEditor(props: { dueDate: string | null; onChange: (dueDate: string | null) => void; onClose: () => void }) {
  const { dueDate, onChange, onClose } = props;
  const box = useRef<HTMLFieldSetElement>(null);
  const [fields, setFields] = useState(() => dueFields(dueDate));
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), []);
  const close = () => {
    onClose();
    focusOpener(box.current);
  };
  useBackToClose(close);
  const choose = (next: string | null) => {
    onChange(next);
    close();
  };
  /** An emptied field may be about to get another day, so it counts only when it loses the focus. */
  const isCleared = useRef(false);
  const type = (change: Partial<typeof fields>) => {
    const next = { ...fields, ...change };
    setFields(next);
    isCleared.current = next.day === '';
    if (next.day === '' || Number(next.day.slice(0, 4)) < FIRST_YEAR) return;
    onChange(dueInstant(next));
  };
  const nowMs = now.value;
  /** Keeps the time, unless that has already passed. */
  const chooseDay = (days: number) => {
    const day = dayFromNow(days, nowMs);
    const atTime = dueInstant({ ...fields, day: dueFields(day).day });
    choose(atTime !== null && Date.parse(atTime) > nowMs ? atTime : day);
  };
  return (
    <fieldset
      class="due-edit"
      ref={box}
      aria-label="Due"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <div class="quick">
        {QUICK_DATES.map(({ label, days }) => (
          <Button
            key={label}
            variant="is-small"
            label={label}
            onClick={() => (days ? chooseDay(days(nowMs)) : choose(null))}
          />
        ))}
      </div>
      <div class="exact">
        <input
          type="date"
          aria-label="Day"
          value={fields.day}
          onChange={({ currentTarget }) => type({ day: currentTarget.value })}
          onBlur={({ currentTarget }) => {
            // A day of which only a part was removed has no value either.
            if (!isCleared.current || currentTarget.validity.badInput) return;
            isCleared.current = false;
            onChange(null);
          }}
        />
        <input
          type="time"
          aria-label="Time (optional)"
          value={fields.time}
          disabled={fields.day === ''}
          onChange={({ currentTarget }) => type({ time: currentTarget.value })}
        />
        <Button variant="is-small is-bare" label="Close" onClick={close} />
      </div>
    </fieldset>
  );
}

/** Focuses the element before the editor: the button that opened it. */
function focusOpener(box: HTMLElement | null): void {
  const opener = box?.previousElementSibling;
  if (opener instanceof HTMLElement) opener.focus();
}
