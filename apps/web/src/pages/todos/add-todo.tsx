import { LIMITS } from '@hub/contract/limits';
import { ChevronDown, Plus, X } from 'icons';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useMembers } from '../../data/members/members.ts';
import { useDraft } from '../../data/unsent/drafts.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import type { Unsent } from '../../data/unsent/unsent.ts';
import { lengthOf } from '../../lib/count-text.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { now } from '../../lib/time/format.ts';
import { AttachButton } from '../../ui/composer/attach-button.tsx';
import { Attachments } from '../../ui/composer/attachments.tsx';
import { useAttachedDraft, useDroppedFiles } from '../../ui/composer/use-attached.ts';
import { MenuOpener } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { readShorthand } from './read-shorthand.ts';

/** How long the list takes to show a new to-do at its place. */
const DRAWN_MS = 100;

interface AddTodoProps {
  hubId: string;
  /** Fields from the active filters, so that a new to-do matches them. */
  fields: NonNullable<Unsent['todo']>;
  children?: ComponentChildren;
}

const NOTHING: ReadonlySet<string> = new Set();

/** A field that adds a to-do on Enter. A to-do that could not be added stays, with a retry. */
export function AddTodo({ hubId, fields, children }: AddTodoProps) {
  const workspace = useWorkspace();
  const outbox = outboxOf(workspace);
  const draftKey = `add-todo.${hubId}`;
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useDraft(draftKey, null, isText);
  const length = lengthOf(title ?? '', LIMITS.titleCodePoints);
  const attached = useAttachedDraft(workspace.me.peek().id, draftKey);
  const { files, uploads, add: attach } = attached;
  const form = useRef<HTMLFormElement>(null);
  useDroppedFiles(form, attach);
  const loaded = useMembers(hubId);
  const members = loaded.status === 'ready' ? loaded.value : [];
  const [ignored, setIgnored] = useState(NOTHING);
  const shorthand = readShorthand(title ?? '', { members, nowMs: now.value, ignored });
  /** For screen readers. */
  const [news, setNews] = useState('');
  const lengthId = useId();
  const pending = outbox.all.value.filter((unsent) => unsent.draftKey === draftKey);
  useShortcuts({ c: () => input.current?.focus() });

  const add = async (text: string, todo: AddTodoProps['fields']) => {
    setNews('');
    const added = await outbox.send({ hubId, draftKey, text, files, todo });
    if (added) setTimeout(() => setNews(sayIfUnseen(added.id) ? '' : 'To-do added.'), DRAWN_MS);
  };
  const discard = (id: string) => {
    const undo = outbox.discard(id);
    toast('To-do discarded.', { action: { label: 'Undo', run: undo } });
  };

  return (
    <>
      <form
        class="add-row"
        ref={form}
        aria-label="New to-do"
        onSubmit={(event) => {
          event.preventDefault();
          const { title: text, chips } = shorthand;
          if (text === '' || length.isTooLong || uploads.length > 0) return;
          void add(text, Object.assign({}, fields, ...chips.map((chip) => chip.fields)));
          setTitle(null);
          attached.clear();
          setIgnored(NOTHING);
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
          onPaste={(event) => {
            const pasted = [...(event.clipboardData?.files ?? [])];
            if (pasted.length === 0) return;
            event.preventDefault();
            attach(pasted);
          }}
          onKeyDown={({ key, currentTarget }) => {
            // The list, where j and k move, is the next larger part of the page.
            if (key === 'Escape') currentTarget.closest<HTMLElement>('.scroll')?.focus();
          }}
        />
        <span class={length.isTooLong ? 'length is-bad' : 'length'} id={lengthId} role="status">
          {length.text}
        </span>
        <AttachButton onFiles={attach} />
        {children}
      </form>
      {files.length + uploads.length > 0 && <Attachments hubId={hubId} {...attached} />}
      <p class="sr" role="status">
        {shorthand.chips.length > 0 ? `Understood: ${shorthand.chips.map(({ label }) => label).join(', ')}` : news}
      </p>
      {shorthand.chips.length > 0 && (
        <div class="todo-chips" role="group" aria-label="Understood">
          {shorthand.chips.map(({ written, label }) => (
            <button
              key={written}
              class="pill is-set"
              type="button"
              aria-label={`${label}: keep “${written}” as text`}
              onClick={() => {
                setIgnored(new Set([...ignored, written]));
                input.current?.focus();
              }}
            >
              {label} <X size="xs" />
            </button>
          ))}
        </div>
      )}
      {pending.length > 0 && (
        <ul class="pending-todos" aria-label="To-dos being added">
          {pending.map(({ id, text, state, failure }) => (
            <li key={id} class={state === 'failed' ? 'pending-todo is-bad' : 'pending-todo'}>
              <bdi>{text}</bdi>
              {state === 'failed' && (
                <span class="reason" role="alert">
                  Not added. {failure}{' '}
                  <button type="button" onClick={() => outbox.resend(id)}>
                    Try again
                  </button>{' '}
                  <button type="button" onClick={() => discard(id)}>
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

const HUB_KEY = 'hub.todo-hub';

/** Adds a to-do of the user's own, in a Hub to choose. */
export function AddMyTodo({ fields }: Pick<AddTodoProps, 'fields'>) {
  const { hubs, me } = useWorkspace();
  const [chosen, setChosen] = useState(() => readStored(HUB_KEY));
  const mine = hubs.mine.value;
  const hub = mine.find(({ id }) => id === chosen) ?? mine[0];
  if (!hub) return null;
  const items = () =>
    mine.map(({ id, name }) => ({
      label: name,
      isChosen: id === hub.id,
      run: () => {
        setChosen(id);
        writeStored(HUB_KEY, id);
      },
    }));
  return (
    <AddTodo key={hub.id} hubId={hub.id} fields={{ ...fields, assigneeId: me.value.id }}>
      <MenuOpener class="pill" label="Hub" items={items}>
        <span class="sr">Hub: </span>
        <span class="t cut">{hub.name}</span>
        <ChevronDown size="xs" />
      </MenuOpener>
    </AddTodo>
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Offers to open a to-do if it was sorted below what is in view. Returns whether it was. */
function sayIfUnseen(id: string): boolean {
  const row = document.querySelector(`[data-todo="${CSS.escape(id)}"]`);
  if (row && row.getBoundingClientRect().bottom <= innerHeight) return false;
  toast('To-do added.', { action: { label: 'Open', run: () => navigate(withPanel(id)) } });
  return true;
}
