import { LIMITS } from '@hub/contract/limits';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import { request } from '../../data/request.ts';
import { keepEditDraft } from '../../data/unsent/drafts.ts';
import { baseOf, type ItemText, isSameText } from '../../data/unsent/save-text.ts';
import { failureText } from '../../data/unsent/unsent.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { TextForm } from '../../ui/items/text-editor.tsx';
import { toast } from '../../ui/toast.tsx';

interface NoteFormProps {
  hubId: string;
  text: ItemText;
  /** Called on every change, to save the draft. */
  onWrite: (text: ItemText) => void;
  onDone: () => void;
  /** Called when the form is closed and its draft is kept. */
  onHide: () => void;
}

/** The Hubs in which a note is being saved. The user may leave the form and come back meanwhile. */
const saving = signal<ReadonlySet<string>>(new Set());

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
  const [failure, setError] = useState('');
  const isSaving = saving.value.has(hubId);
  const isEmpty = text.title === '' && text.content === '';
  const save = async () => {
    if (!isOnline.peek()) {
      setError('Not saved, since you’re offline. The draft stays here.');
      return;
    }
    saving.value = new Set([...saving.peek(), hubId]);
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
      const reason = failureText(error, 'Not saved. ', 'It may have been saved: check before trying again.');
      if (isThere.current) setError(reason);
      else toast(reason, { isError: true });
    } finally {
      saving.value = new Set([...saving.peek()].filter((id) => id !== hubId));
    }
  };
  const discard = () => {
    onDone();
    if (!isEmpty) toast('Draft discarded.', { action: { label: 'Undo', run: () => onWrite(text) } });
  };
  return (
    <div class="note-editor">
      <TextForm
        label="New note"
        titleLabel="Title (optional)"
        placeholder="Write a note (Markdown)"
        rows={10}
        maxContent={LIMITS.noteContentCodePoints}
        hubId={hubId}
        text={text}
        onWrite={(change) => onWrite({ ...text, ...change })}
        failure={failure}
        submitLabel="Save note"
        canSave={text.content.trim() !== ''}
        isSaving={isSaving}
        onSave={() => void save()}
        cancelLabel={isEmpty ? 'Cancel' : 'Discard'}
        // A note that is being saved can no longer be discarded.
        onCancel={() => !isSaving && discard()}
        onEscape={() => !isSaving && (isEmpty ? onDone() : onHide())}
      />
    </div>
  );
}
