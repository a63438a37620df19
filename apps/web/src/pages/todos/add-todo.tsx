import type { WriteTodoBody } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { Plus } from 'icons';
import { useId, useRef } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import { request } from '../../data/request.ts';
import { useDraft } from '../../data/unsent/drafts.ts';
import { failureText } from '../../data/unsent/unsent.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { randomId } from '../../lib/random-id.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { lengthOf } from '../../ui/composer/text-length.ts';
import { toast } from '../../ui/toast.tsx';
import { type Addition, additionsOf } from './additions.ts';

/** How long the list takes to show a new to-do at its place. */
const DRAWN_MS = 100;

interface AddTodoProps {
  hubId: string;
  /** Fields from the active filters, so that a new to-do matches them. */
  fields: Addition['fields'];
}

/** A field that adds a to-do on Enter. A to-do that could not be added stays, with a retry. */
export function AddTodo({ hubId, fields }: AddTodoProps) {
  const { items, me } = useWorkspace();
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useDraft(`add-todo.${hubId}`, null, isText);
  const length = lengthOf(title ?? '', LIMITS.titleCodePoints);
  const lengthId = useId();
  const additions = additionsOf(me.peek().id, hubId);
  useShortcuts([{ keys: 'c', does: 'Add a to-do', run: () => input.current?.focus() }]);

  const add = async (addition: Pick<Addition, 'id' | 'title' | 'fields'>) => {
    additions.send(addition);
    if (!isOnline.peek()) {
      additions.fail(addition.id, 'Not added: there was no connection.');
      return;
    }
    try {
      const body: WriteTodoBody = { title: addition.title, ...addition.fields };
      const todo = await request('POST /hubs/{hubId}/todos', { hubId, body });
      items.applyResponse(todo);
      additions.drop(addition.id);
      setTimeout(() => sayIfUnseen(todo.id), DRAWN_MS);
    } catch (error) {
      additions.fail(
        addition.id,
        failureText(error, 'Not added. ', 'It may have been added: check before trying again.'),
      );
    }
  };

  const discard = (addition: Addition) => {
    additions.drop(addition.id);
    toast('To-do discarded.', { action: { label: 'Undo', run: () => additions.keep(addition) } });
  };

  return (
    <>
      <form
        class="add-row"
        aria-label="New to-do"
        onSubmit={(event) => {
          event.preventDefault();
          const text = (title ?? '').trim();
          if (text === '' || length.isTooLong) return;
          void add({ id: randomId(), title: text, fields });
          setTitle(null);
        }}
      >
        <button type="submit" aria-label="Add">
          <Plus />
        </button>
        <input
          class="grow"
          ref={input}
          type="text"
          aria-label="New to-do"
          placeholder="Add a to-do"
          autocomplete="off"
          enterkeyhint="done"
          aria-describedby={lengthId}
          aria-invalid={length.isTooLong}
          value={title ?? ''}
          onInput={({ currentTarget }) => setTitle(currentTarget.value === '' ? null : currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            // The list, where j and k move, is the next larger part of the page.
            if (key === 'Escape') currentTarget.closest<HTMLElement>('.scroll')?.focus();
          }}
        />
        <span class={length.isTooLong ? 'length is-bad' : 'length'} id={lengthId} role="status">
          {length.text}
        </span>
      </form>
      {additions.all.value.length > 0 && (
        <ul class="pending-todos" aria-label="To-dos being added">
          {additions.all.value.map((addition) => (
            <li key={addition.id} class={addition.error === null ? 'pending-todo' : 'pending-todo is-bad'}>
              <bdi>{addition.title}</bdi>
              {addition.error !== null && (
                <span class="reason" role="alert">
                  {addition.error}{' '}
                  <button type="button" onClick={() => void add(addition)}>
                    Try again
                  </button>{' '}
                  <button type="button" onClick={() => discard(addition)}>
                    Discard
                  </button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Offers to open a to-do that was sorted below what is in view. */
function sayIfUnseen(id: string): void {
  const row = document.querySelector(`[data-todo="${CSS.escape(id)}"]`);
  if (row && row.getBoundingClientRect().bottom <= innerHeight) return;
  toast('To-do added.', { action: { label: 'Open', run: () => navigate(withPanel(id)) } });
}
