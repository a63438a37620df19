import type { Hub } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { signal } from '@preact/signals';
import { Plus } from 'icons';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { authorText, bySeq } from '../../data/items/item.ts';
import { ItemList } from '../../data/items/item-list.ts';
import type { ItemStore } from '../../data/items/item-store.ts';
import { useMarkAsRead } from '../../data/live/use-mark-as-read.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import { request } from '../../data/request.ts';
import { isText, keepEditDraft, useDraft } from '../../data/unsent/drafts.ts';
import { baseOf, fileIdsOf, type ItemText, isSameText } from '../../data/unsent/save-text.ts';
import { failureText } from '../../data/unsent/unsent.ts';
import { repliesText } from '../../lib/count-text.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { excerpt } from '../../lib/posts/plain-text.ts';
import { navigate, openItemId, withPanel } from '../../lib/router/location.ts';
import { AuthorAvatar } from '../../ui/avatars/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { ListEnd, useListKeys } from '../../ui/items/item-rows.tsx';
import { TextForm } from '../../ui/items/text-editor.tsx';
import { EditedWhen, When } from '../../ui/items/when.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/page/load-states.tsx';
import { toast } from '../../ui/toast.tsx';

const PAGE = 50;
const NO_TEXT = { title: '', content: '' };

function notesOf(store: ItemStore, hubId: string): ItemList {
  return new ItemList(store, {
    hubId,
    holds: (item) => item.kind === 'note' && item.hubId === hubId,
    order: bySeq,
    load: async (before) => {
      const query = { before, limit: PAGE };
      const { items, next, seq } = await request('GET /hubs/{hubId}/notes', { hubId, query });
      return { items, next, asOf: () => seq };
    },
  });
}

/** The notes of a Hub, newest first, and the form for a new one. */
export function NotesTab({ hub }: { hub: Hub }) {
  const { items } = useWorkspace();
  const list = useMemo(() => notesOf(items, hub.id), [items, hub.id]);
  useEffect(() => () => list.dispose(), [list]);
  const [draft, setDraft] = useDraft(`note.${hub.id}`, null, isText);
  const [isWriting, setWriting] = useState(draft !== null);
  useShortcuts({ c: () => setWriting(true) });
  const label = `Notes in ${hub.name}`;
  const rows = useListKeys({ label, attribute: 'data-note', onEnd: () => void list.loadOlder() });
  const notes = list.items.value.toReversed();
  const state = list.state.value;
  const older = list.older.value;
  const isNew = useMarkAsRead({ hubId: hub.id, kind: 'note', isShown: state.status === 'ready' });
  const stopWriting = () => {
    setWriting(false);
    // The form had the focus. A saved note takes it.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        rows.list.current?.querySelector<HTMLElement>('.toolbar button')?.focus();
    });
  };
  const stop = notes.some(({ id }) => id === rows.current) ? rows.current : notes[0]?.id;
  return (
    <div class="scroll" {...rows.props}>
      <div class="toolbar">
        {!isWriting && (
          <Button
            icon={<Plus />}
            label={draft === null ? 'Write a note' : 'Continue your draft'}
            onClick={() => setWriting(true)}
          />
        )}
      </div>
      {isWriting && (
        <NoteForm
          hubId={hub.id}
          text={draft ?? NO_TEXT}
          onWrite={setDraft}
          onHide={stopWriting}
          onDone={() => {
            setDraft(null);
            stopWriting();
          }}
        />
      )}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={() => void list.reload()} />}
      <ul class="notes">
        {notes.map((note) => (
          <NoteCard
            key={note.id}
            id={note.id}
            href={withPanel(note.id)}
            isCurrent={note.id === openItemId.value}
            isTabStop={note.id === stop}
            isNew={isNew(note)}
          />
        ))}
      </ul>
      {older.status === 'failed' && <ErrorNotice text={older.text} onRetry={() => void list.loadOlder()} />}
      {state.status === 'loading' && notes.length === 0 && <Loading what="Loading notes" />}
      {state.status === 'ready' && notes.length === 0 && !isWriting && (
        <EmptyState title="No notes yet" text="Write one, or let a program post one." />
      )}
      <ListEnd state={list.hasOlder.value ? notes.length : null} onNear={() => void list.loadOlder()} />
    </div>
  );
}

interface NoteCardProps {
  id: string;
  href: string;
  isCurrent: boolean;
  /** Whether the Tab key reaches it: one card is the tab stop of the list. */
  isTabStop: boolean;
  /** Whether another member wrote it since the user last looked. */
  isNew: boolean;
}

/** A note in the list: its title, three lines, and who wrote it. */
function NoteCard({ id, href, isCurrent, isTabStop, isNew }: NoteCardProps) {
  const item = useWorkspace().items.get(id).value;
  if (item?.kind !== 'note') return null;
  const { head, rest } = headAndRest(item.title, item.content);
  return (
    <li>
      <a
        class={isCurrent ? 'note is-current' : 'note'}
        href={href}
        data-note={id}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <h2>
          <bdi>{head}</bdi>
        </h2>
        <p>
          <bdi>{rest}</bdi>
        </p>
        <span class="author">
          <AuthorAvatar item={item} size="s" />
          <span>
            <bdi>{authorText(item)}</bdi>
            {' · '}
            {item.editedAt === null ? (
              <When at={item.createdAt} />
            ) : (
              <EditedWhen at={item.editedAt} by={item.editedBy} />
            )}
            {item.replyCount > 0 && ` · ${repliesText(item.replyCount)}`}
          </span>
          {isNew && <span class="count">New</span>}
        </span>
      </a>
    </li>
  );
}

/** Uses the first line as the title of an untitled note. */
function headAndRest(title: string | null, content: string): { head: string; rest: string } {
  if (title !== null) return { head: title, rest: excerpt(content) };
  const [first = '', ...others] = content.trim().split('\n', 8);
  return { head: excerpt(first), rest: excerpt(others.join('\n')) };
}

interface NoteFormProps {
  hubId: string;
  text: ItemText;
  onWrite: (text: ItemText) => void;
  onDone: () => void;
  /** Called when the form is closed and its draft is kept. */
  onHide: () => void;
}

/** The Hubs in which a note is being saved. The user may leave the form and come back meanwhile. */
const saving = signal<ReadonlySet<string>>(new Set());

/** The form for a new note. The draft is kept until it is saved or discarded. */
function NoteForm({ hubId, text, onWrite, onDone, onHide }: NoteFormProps) {
  const { items, me } = useWorkspace();
  const latest = useRef(text);
  latest.current = text;
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const [failure, setError] = useState('');
  const isSaving = saving.value.has(hubId);
  const isEmpty = isSameText(text, { title: '', content: '' });
  const save = async () => {
    if (!isOnline.peek()) {
      setError('Not saved, since you’re offline. The draft stays here.');
      return;
    }
    saving.value = new Set([...saving.peek(), hubId]);
    setError('');
    try {
      const title = text.title.trim();
      const files = fileIdsOf(text);
      const body = { content: text.content, ...(title !== '' && { title }), ...(files.length > 0 && { files }) };
      const note = await request('POST /hubs/{hubId}/notes', { hubId, body });
      items.applyResponse(note);
      const { current } = latest;
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
