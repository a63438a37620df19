import type { Message } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, path, request, wordsOf } from '../api/request.ts';
import { PostBody } from '../posts/post-body.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { markdownOf } from './message-text.ts';
import { focusRow } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

interface Draft {
  text: string;
  /** The version that it is a change of. */
  version: number;
}

/** What was begun and not saved. A row that scrolls away or is left with Escape loses nothing. */
const drafts = new Map<string, Draft>();

/** The text of a message, to be changed in its place. Enter saves, Escape leaves it as it was. */
export function MessageEditor({ message, scope }: { message: Message; scope: RowScope }) {
  const { id, version } = message;
  const { items } = useWorkspace();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => drafts.get(id) ?? null);
  const [isSaving, setSaving] = useState(false);
  const [trouble, setTrouble] = useState('');
  const keep = (changed: Draft) => {
    drafts.set(id, changed);
    setDraft(changed);
  };
  useEffect(() => {
    if (draft === null) void markdownOf(message).then((text) => setDraft({ text, version }));
  }, []);
  const isReady = draft !== null;
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
  }, [isReady]);
  if (draft === null) return <PostBody item={message} />;

  const isOvertaken = version !== draft.version;
  const leave = () => {
    scope.editing.value = null;
    requestAnimationFrame(() => focusRow(scope, id));
  };
  const save = async () => {
    if (isSaving || draft.text.trim() === '') return;
    setSaving(true);
    setTrouble('');
    try {
      const body = { text: draft.text, baseVersion: draft.version };
      await items.answerTo(() => request<Message>('PATCH', path`/messages/${id}`, { body }));
      drafts.delete(id);
      leave();
    } catch (error) {
      const isConflict = error instanceof ApiError && error.statusCode === 409;
      if (isConflict) await items.answerTo(() => request<Message>('GET', path`/items/${id}`)).catch(() => {});
      else setTrouble(wordsOf(error));
      setSaving(false);
    }
  };
  return (
    <form
      class="msg-editor"
      aria-label="Edit the message"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isOvertaken && (
        <div class="banner is-warn" role="alert">
          <div class="grow">
            <strong>It was changed meanwhile.</strong> Your text is kept below. It says now:
            <PostBody item={message} foldLines={10} />
          </div>
        </div>
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label="Text of the message"
        value={draft.text}
        onInput={({ currentTarget }) => keep({ ...draft, text: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Escape') leave();
          else if (event.key === 'Enter' && !event.shiftKey && !isOvertaken) void save();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {trouble !== '' && <p role="alert">{trouble}</p>}
      <div class="under">
        {isOvertaken ? (
          // With keys: were it the same element, the press that changes its type would send the form as well.
          <button key="over" class="btn is-main is-small" type="button" onClick={() => keep({ ...draft, version })}>
            Edit over it
          </button>
        ) : (
          <button key="save" class="btn is-main is-small" type="submit" disabled={isSaving || draft.text.trim() === ''}>
            Save
          </button>
        )}
        <button
          class="btn is-bare is-small"
          type="button"
          onClick={() => {
            drafts.delete(id);
            leave();
          }}
        >
          Cancel
        </button>
        <span class="msg-hint">Enter saves, Escape closes and keeps what you wrote</span>
      </div>
    </form>
  );
}
