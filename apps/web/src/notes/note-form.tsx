import type { Note } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { path, request, wordsOf } from '../api/request.ts';
import { MarkdownField } from '../composer/markdown-field.tsx';
import { navigate, withPanel } from '../router/location.ts';
import { keepEditDraft } from '../words/edit-draft.ts';
import { areSameWords, baseOf, type Words } from '../words/save-words.ts';
import { useWorkspace } from '../workspace/workspace.ts';

interface NoteFormProps {
  hubId: string;
  words: Words;
  /** Told of all that is typed, to keep it. */
  onWrite: (words: Words) => void;
  /** It was saved, or given up. */
  onDone: () => void;
  /** It is closed and kept. */
  onHide: () => void;
}

/** Where a new note is written. Nothing of it is lost before it is saved or given up. */
export function NoteForm({ hubId, words, onWrite, onDone, onHide }: NoteFormProps) {
  const { items, me } = useWorkspace();
  const written = useRef(words);
  written.current = words;
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const title = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState('');
  const [isSaving, setSaving] = useState(false);
  useLayoutEffect(() => title.current?.focus(), []);
  const isEmpty = words.title === '' && words.content === '';
  const save = async () => {
    setSaving(true);
    setTrouble('');
    try {
      const body = { content: words.content, ...(words.title.trim() === '' ? {} : { title: words.title.trim() }) };
      const note = await request<Note>('POST', path`/hubs/${hubId}/notes`, { body });
      items.takeAnswer(note);
      const { current } = written;
      // What was typed meanwhile is a change of the note.
      if (!areSameWords(current, words)) {
        keepEditDraft(me.peek().id, note.id, { ...current, base: baseOf(note) });
      }
      onDone();
      // Nobody is led back who has gone elsewhere.
      if (isThere.current) navigate(withPanel(note.id));
    } catch (error) {
      setTrouble(`Not saved. ${wordsOf(error)}`);
      setSaving(false);
    }
  };
  return (
    <form
      class="words-editor note-writing"
      aria-label="New note"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.content.trim() !== '' && !isSaving) void save();
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
        placeholder="Title, if it has one"
        value={words.title}
        onInput={({ currentTarget }) => onWrite({ ...words, title: currentTarget.value })}
      />
      <MarkdownField
        label="Content, in Markdown"
        isLabelHidden
        hubId={hubId}
        placeholder="What should be known, in Markdown"
        value={words.content}
        onChange={(content) => onWrite({ ...words, content })}
        maxCodePoints={LIMITS.noteContentCodePoints}
        rows={10}
      />
      {trouble !== '' && (
        <p class="banner is-bad" role="alert">
          {trouble}
        </p>
      )}
      <div class="acts">
        <button class="btn is-main" type="submit" disabled={words.content.trim() === ''} aria-disabled={isSaving}>
          Save note
        </button>
        <button class="btn is-bare" type="button" onClick={onDone}>
          {isEmpty ? 'Cancel' : 'Discard'}
        </button>
      </div>
    </form>
  );
}
