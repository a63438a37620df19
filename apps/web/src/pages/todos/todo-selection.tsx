import type { Todo } from '@hub/contract';
import { CalendarClock, Check, RotateCcw, Signal, Trash2, User, X } from 'icons';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ItemStore } from '../../data/items/item-store.ts';
import { sendTodoChange, type TodoChange } from '../../data/items/todo-changes.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage, request } from '../../data/request.ts';
import { countText } from '../../lib/count-text.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { dayFromNow } from '../../lib/time/due.ts';
import { now } from '../../lib/time/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { AssigneeChoice, NO_ASSIGNEE } from '../../ui/members/user-picker.tsx';
import { MenuOpener } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { priorityItems } from './priority-bars.tsx';
import { QUICK_DATES } from './todo-query.ts';

const NONE: ReadonlySet<string> = new Set();

/** The selected to-dos of a list. `scope`: a change of it, such as of the filters, clears the selection. */
export function useSelection(scope: string) {
  const [ids, setIds] = useState(NONE);
  /** Whether a plain click selects, as on touch screens, which have no Shift key. */
  const [isOn, setOn] = useState(false);
  /** Where a range starts. */
  const anchor = useRef<string | null>(null);
  const clear = () => {
    anchor.current = null;
    setIds(NONE);
    setOn(false);
  };
  useEffect(clear, [scope]);
  const toggle = (id: string) => {
    anchor.current = id;
    setIds(new Set([id]).symmetricDifference(ids));
  };
  return {
    ids,
    isOn: isOn || ids.size > 0,
    start: () => setOn(true),
    clear,
    toggle,
    /** Selects a row, or with Shift all rows from the last one on. Props for the element around the rows. */
    rows: {
      onMouseDown: (event: MouseEvent) => {
        // Shift would select text, and the list would get the focus.
        if ((event.shiftKey || isOn || ids.size > 0) && rowOf(event)) event.preventDefault();
      },
      onClickCapture: (event: MouseEvent & { currentTarget: HTMLElement }) => {
        const id = rowOf(event);
        if (!id || !(event.shiftKey || isOn || ids.size > 0)) return;
        event.preventDefault();
        event.stopPropagation();
        const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-todo]')].map(
          (row) => row.dataset.todo ?? '',
        );
        const [from, to] = [all.indexOf(anchor.current ?? ''), all.indexOf(id)];
        if (!event.shiftKey || from < 0) toggle(id);
        else setIds(ids.union(new Set(all.slice(Math.min(from, to), Math.max(from, to) + 1))));
      },
    },
  };
}

function rowOf({ target }: MouseEvent): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-todo]')?.dataset.todo : undefined;
}

/** The actions on the selected to-dos. Each can be undone. */
export function SelectionBar({ todos, onClear }: { todos: readonly Todo[]; onClear: () => void }) {
  const { items } = useWorkspace();
  useShortcuts({ Escape: onClear });
  const areDone = todos.length > 0 && todos.every(({ status }) => status === 'done');
  const [first] = todos;
  const hubId = todos.every((todo) => todo.hubId === first?.hubId) ? first?.hubId : undefined;
  const noun = countText(todos.length, 'to-do');
  /** The selection stays for the next change, unless the to-dos leave the list. */
  const change = (to: TodoChange, text: string) => {
    if (to.status) onClear();
    void changeAll(items, todos, to, text);
  };
  const remove = async () => {
    onClear();
    const isDeleted = await forAll(todos, ({ id }) =>
      items.applyResponseOf(() => request('DELETE /todos/{todoId}', { todoId: id })),
    );
    const restore = () =>
      forAll(todos, ({ id }) =>
        items.applyResponseOf<Todo>(() => request('POST /items/{itemId}/restoration', { itemId: id }) as Promise<Todo>),
      );
    if (isDeleted) toast(`${noun} deleted.`, { action: { label: 'Undo', run: () => void restore() } });
  };
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selected to-dos">
      <b role="status">{todos.length === 0 ? 'Select to-dos' : `${todos.length} selected`}</b>
      {todos.length > 0 && (
        <Button
          variant="is-small"
          icon={areDone ? <RotateCcw /> : <Check />}
          label={areDone ? 'Reopen' : 'Done'}
          onClick={() => change({ status: areDone ? 'open' : 'done' }, `${noun} ${areDone ? 'reopened' : 'done'}.`)}
        />
      )}
      {hubId !== undefined && (
        <AssigneeChoice
          class="btn is-small"
          hubId={hubId}
          chosen={null}
          others={NO_ASSIGNEE}
          onChoose={(_, user) =>
            change({ assignee: user }, user ? `${noun} assigned to ${user.name}.` : `${noun} unassigned.`)
          }
        >
          <User /> Assign
        </AssigneeChoice>
      )}
      {todos.length > 0 && (
        <>
          <MenuOpener
            class="btn is-small"
            label="Due date"
            items={() =>
              QUICK_DATES.map(({ label, days }) => ({
                label,
                run: () => {
                  const dueDate = days ? dayFromNow(days(now.peek()), now.peek()) : null;
                  change({ dueDate }, `Due date of ${noun} changed.`);
                },
              }))
            }
          >
            <CalendarClock /> Due
          </MenuOpener>
          <MenuOpener
            class="btn is-small"
            label="Priority"
            items={() => priorityItems((priority) => change({ priority }, `Priority of ${noun} changed.`))}
          >
            <Signal /> Priority
          </MenuOpener>
          <Button variant="is-small" icon={<Trash2 />} label="Delete" onClick={() => void remove()} />
        </>
      )}
      <IconButton icon={<X />} label="Clear the selection" onClick={onClear} />
    </div>
  );
}

/** Makes the same change to several to-dos, and offers to undo it. */
async function changeAll(items: ItemStore, todos: readonly Todo[], to: TodoChange, text: string) {
  const before = todos.map((todo): [Todo, TodoChange] => {
    const changed = Object.keys(to) as (keyof TodoChange)[];
    return [todo, Object.fromEntries(changed.map((name) => [name, todo[name]]))];
  });
  const isSaved = await forAll(todos, ({ id }) => sendTodoChange(items, id, to));
  const undo = () => void forAll(before, ([{ id }, former]) => sendTodoChange(items, id, former));
  if (isSaved) toast(text, { action: { label: 'Undo', run: undo } });
}

/** How many requests run at the same time. */
const CONCURRENCY = 6;

/** Runs a request for each of several to-dos. If some fail, it says how many, and returns false. */
async function forAll<T>(all: readonly T[], run: (each: T) => Promise<unknown>): Promise<boolean> {
  const errors: unknown[] = [];
  for (let at = 0; at < all.length; at += CONCURRENCY) {
    const results = await Promise.allSettled(all.slice(at, at + CONCURRENCY).map(run));
    for (const result of results) if (result.status === 'rejected') errors.push(result.reason);
  }
  if (errors.length === 0) return true;
  toast(`${errors.length} of ${countText(all.length, 'to-do')} not saved. ${errorMessage(errors[0])}`, {
    isError: true,
  });
  return false;
}
