import type { Note, Todo } from '@hub/contract';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';
import { MarkdownField } from '../composer/markdown-field.tsx';
import { shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { useDraft } from './drafts.ts';
import { type EditDraft, editDraftKey, isEditDraft } from './edit-draft.ts';
import { baseOf, type ItemText, isSameText, saveText, TextConflict, textIn } from './save-text.ts';

interface TextEditorProps {
  item: Note | Todo;
  titleLabel: string;
  /** The most code points that the content may have. */
  maxContent: number;
  /** Saved, or given up. */
  onDone: () => void;
}

/** The title and the content of a note or a to-do, being edited. What is typed is kept until it is saved or dropped. */
export function TextEditor({ item, titleLabel, maxContent, onDone }: TextEditorProps) {
  const { items } = useWorkspace();
  const present = textIn(item);
  const [draft, setDraft] = useDraft<EditDraft>(editDraftKey(item.id), { ...present, base: baseOf(item) }, isEditDraft);
  const [failure, setError] = useState('');
  const [isSaving, setSaving] = useState(false);
  const written = useRef(draft);
  const title = useRef<HTMLInputElement>(null);
  const saver = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  // While it is being saved, what is newer is what was saved.
  const isOverwriting = !isSaving && draft !== null && !isSameText(present, draft.base) && !isSameText(present, draft);
  const choice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    // What one presses last can be pressed no more, or goes: the focus stays near.
    if (isOverwriting && activeElement === saver.current) choice.current?.focus();
    else if (!isOverwriting && activeElement === document.body) saver.current?.focus();
  }, [isOverwriting]);
  if (!draft) return null;
  written.current = draft;
  const { base, ...text } = draft;

  const close = () => {
    setDraft(null);
    onDone();
  };
  const save = async (from: EditDraft) => {
    setSaving(true);
    setError('');
    try {
      const saved = await saveText({ item, base: from.base, text: from });
      items.applyResponse(saved);
      const { current } = written;
      // What was typed meanwhile is a change of what was saved.
      if (current && !isSameText(current, from)) setDraft({ ...current, base: baseOf(saved) });
      else close();
    } catch (error) {
      // What is newer is shown, and one chooses.
      if (error instanceof TextConflict) items.applyResponse(error.newer);
      else setError(`Not saved. ${errorMessage(error)}`);
    } finally {
      setSaving(false);
    }
  };
  const write = (change: Partial<ItemText>) => setDraft({ ...draft, ...change });

  return (
    <form
      class="text-editor"
      aria-label="Edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOverwriting && !isSaving) void save(draft);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        // Escape loses nothing: what was typed is there when one comes back.
        if (isSameText(text, base)) close();
        else onDone();
      }}
    >
      {isOverwriting && (
        <Newer box={choice} item={item} onMine={() => void save({ ...draft, base: baseOf(item) })} onTheirs={close} />
      )}
      <input
        ref={title}
        class="title-field"
        type="text"
        aria-label={titleLabel}
        placeholder={titleLabel}
        value={text.title}
        onInput={({ currentTarget }) => write({ title: currentTarget.value })}
      />
      <MarkdownField
        label="Content, in Markdown"
        isLabelHidden
        hubId={item.hubId}
        placeholder={item.kind === 'todo' ? 'More about it, in Markdown' : 'What should be known, in Markdown'}
        value={text.content}
        onChange={(content) => write({ content })}
        maxCodePoints={maxContent}
        rows={8}
      />
      {failure !== '' && (
        <p class="banner is-bad" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <button
          class="btn is-main"
          type="submit"
          ref={saver}
          disabled={isOverwriting || !isComplete(item, text)}
          aria-disabled={isSaving}
        >
          Save
        </button>
        <button class="btn is-bare" type="button" onClick={close}>
          {isSameText(text, base) ? 'Cancel' : 'Discard changes'}
        </button>
      </div>
    </form>
  );
}

function isComplete({ kind }: Note | Todo, { title, content }: ItemText): boolean {
  return (kind === 'todo' ? title : content).trim() !== '';
}

interface NewerProps {
  box: RefObject<HTMLDivElement | null>;
  item: Note | Todo;
  onMine: () => void;
  onTheirs: () => void;
}

/** Somebody else was faster. */
function Newer({ box, item, onMine, onTheirs }: NewerProps) {
  const { title, content } = textIn(item);
  return (
    <div class="banner is-warn" role="alert" ref={box} tabIndex={-1}>
      <div class="grow">
        <strong>Somebody changed this while you were writing</strong>
        {item.editedAt !== null && `, ${shortTime(item.editedAt, now.value)}`}. It now says:
        <blockquote class="current-text">
          <strong>{title}</strong>
          {title !== '' && content !== '' && '\n'}
          {content}
        </blockquote>
        <div class="actions">
          <button class="btn is-small" type="button" onClick={onMine}>
            Save mine over it
          </button>
          <button class="btn is-small is-bare" type="button" onClick={onTheirs}>
            Drop mine
          </button>
        </div>
      </div>
    </div>
  );
}
