import { LIMITS } from '@hub/contract/limits';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage, request } from '../../data/request.ts';
import { keepEditDraft } from '../../data/unsent/edit-draft.ts';
import { baseOf, type ItemText, isSameText } from '../../data/unsent/save-text.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { MarkdownField } from '../../ui/composer/markdown-field.tsx';

interface NoteFormProps {
  hubId: string;
  text: ItemText;
  /** Called on every change, to save the draft. */
  onWrite: (text: ItemText) => void;
  /** Called when the note has been saved or discarded. */
  onDone: () => void;
  /** Called when the form is closed and its draft is kept. */
  onHide: () => void;
}

/** The form for a new note. The draft is kept until it is saved or discarded. */
export function NoteForm({ hubId, text, onWrite, onDone, onHide }: NoteFormProps) {
  const { items, me } = useWorkspace();
  const written = useRef(text);
  written.current = text;
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const title = useRef<HTMLInputElement>(null);
  const [failure, setError] = useState('');
  const [isSaving, setSaving] = useState(false);
  useLayoutEffect(() => title.current?.focus(), []);
  const isEmpty = text.title === '' && text.content === '';
  const save = async () => {
    setSaving(true);
    setError('');
    try {
      const body = { content: text.content, ...(text.title.trim() === '' ? {} : { title: text.title.trim() }) };
      const note = await request('POST /hubs/{hubId}/notes', { hubId, body });
      items.applyResponse(note);
      const { current } = written;
      // Text typed during a save is a change to the saved note.
      if (!isSameText(current, text)) {
        keepEditDraft(me.peek().id, note.id, { ...current, base: baseOf(note) });
      }
      onDone();
      // Do not take the user back here if they have already left the page.
      if (isThere.current) navigate(withPanel(note.id));
    } catch (error) {
      setError(`Not saved. ${errorMessage(error)}`);
      setSaving(false);
    }
  };
  return (
    <form
      class="text-editor note-editor"
      aria-label="New note"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.content.trim() !== '' && !isSaving) void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (isEmpty) onDone();
        else onHide();
      }}
    >
      <input
        ref={title}
        class="title-field"
        type="text"
        aria-label="Title"
        placeholder="Title (optional)"
        value={text.title}
        onInput={({ currentTarget }) => onWrite({ ...text, title: currentTarget.value })}
      />
      <MarkdownField
        label="Content (Markdown)"
        isLabelHidden
        hubId={hubId}
        placeholder="Write a note (Markdown)"
        value={text.content}
        onChange={(content) => onWrite({ ...text, content })}
        maxCodePoints={LIMITS.noteContentCodePoints}
        rows={10}
      />
      {failure !== '' && (
        <p class="banner is-bad" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <button class="btn is-main" type="submit" disabled={text.content.trim() === ''} aria-disabled={isSaving}>
          Save note
        </button>
        <button class="btn is-bare" type="button" onClick={onDone}>
          {isEmpty ? 'Cancel' : 'Discard'}
        </button>
      </div>
    </form>
  );
}
