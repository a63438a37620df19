import Plus from 'icon:plus';
import type { Todo, WriteTodoBody } from '@hub/contract';
import { useRef, useState } from 'preact/hooks';
import { path, request, wordsOf } from '../api/request.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { useDraft } from '../words/drafts.ts';
import { useWorkspace } from '../workspace/workspace.ts';

interface Addition {
  number: number;
  title: string;
  /** Why it is not there; `null` while it is on its way. */
  trouble: string | null;
}

interface AddTodoProps {
  hubId: string;
  /** What the filters ask for, so that what one adds is among what one sees. */
  fields: Pick<WriteTodoBody, 'assigneeId' | 'priority'>;
}

let last = 0;

/** A line that makes a to-do of its words with Enter, and waits for the next. What could not be added stays, with a way on. */
export function AddTodo({ hubId, fields }: AddTodoProps) {
  const { items } = useWorkspace();
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useDraft(`add-todo.${hubId}`, null, isText);
  const [additions, setAdditions] = useState<readonly Addition[]>([]);
  useShortcuts([{ keys: 'c', does: 'Add a to-do', run: () => input.current?.focus() }]);

  const put = (addition: Addition) =>
    setAdditions((known) => [...known.filter(({ number }) => number !== addition.number), addition]);
  const drop = (number: number) => setAdditions((known) => known.filter((other) => other.number !== number));
  const add = async (addition: Addition) => {
    put({ ...addition, trouble: null });
    try {
      const body: WriteTodoBody = { title: addition.title, ...fields };
      items.takeAnswer(await request<Todo>('POST', path`/hubs/${hubId}/todos`, { body }));
      drop(addition.number);
    } catch (error) {
      put({ ...addition, trouble: wordsOf(error) });
    }
  };

  return (
    <>
      <form
        class="add-row"
        aria-label="New to-do"
        onSubmit={(event) => {
          event.preventDefault();
          const words = (title ?? '').trim();
          if (words === '') return;
          last += 1;
          void add({ number: last, title: words, trouble: null });
          setTitle(null);
        }}
      >
        <button type="submit" aria-label="Add">
          <Plus />
        </button>
        <input
          ref={input}
          type="text"
          aria-label="New to-do"
          placeholder="Add a to-do"
          autocomplete="off"
          enterkeyhint="done"
          value={title ?? ''}
          onInput={({ currentTarget }) => setTitle(currentTarget.value === '' ? null : currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur();
          }}
        />
      </form>
      {additions.length > 0 && (
        <ul class="additions" aria-label="Being added">
          {additions.map((addition) => (
            <li key={addition.number} class={addition.trouble === null ? 'addition' : 'addition is-bad'}>
              <bdi>{addition.title}</bdi>
              {addition.trouble !== null && (
                <span class="why" role="alert">
                  Not added. {addition.trouble}{' '}
                  <button type="button" onClick={() => void add(addition)}>
                    Try again
                  </button>{' '}
                  <button type="button" onClick={() => drop(addition.number)}>
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
