import type { Item, Note, Todo } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import { Ellipsis, Link, Pencil, Trash2 } from 'icons';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useItem } from '../../data/live/use-item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { type EditDraft, isEditDraft, useDraft } from '../../data/unsent/drafts.ts';
import { editDraftKey } from '../../data/unsent/unsaved-text.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { closePanel, openItemId, withPanel } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { copyLink, copyText } from '../../ui/clipboard.ts';
import { DeletionDialog } from '../../ui/items/deletion.tsx';
import { pinAction } from '../../ui/items/pinning.tsx';
import { MenuOpener } from '../../ui/menu.tsx';
import { ErrorNotice } from '../../ui/page/load-states.tsx';
import { leaveFocusTo, Panel, PanelSkeleton } from '../../ui/panels/panel.tsx';
import { focusComposer, useRowKeys } from './row-keys.ts';
import { FollowThread, ReplyComposer, ThreadFeed, UnsentReply, useThread } from './thread.tsx';

type Kind = 'note' | 'todo';
const NOUNS: Record<Kind, string> = { note: 'note', todo: 'to-do' };
const TITLES: Record<Kind, string> = { note: 'Note', todo: 'To-do' };

interface ItemPanelProps<K extends Kind> {
  id: string;
  kind: K;
  isEditing: boolean;
  onEdit: () => void;
  children: (item: Extract<Note | Todo, { kind: K }>) => ComponentChildren;
}

/** The shared panel of notes and to-dos: loading, deleted state, edit, link and delete, and the replies. */
export function ItemPanel<K extends Kind>({ id, kind, isEditing, onEdit, children }: ItemPanelProps<K>) {
  const { hubs } = useWorkspace();
  const result = useItem(id);
  const last = useRef<Extract<Note | Todo, { kind: K }> | null>(null);
  const item =
    result.status === 'ready' && isOfKind(result.item, kind) && result.item.deletedAt === null ? result.item : null;
  if (item) last.current = item;
  const hubName = hubs.find((item ?? last.current)?.hubId ?? '')?.name ?? '';
  const thread = useThread(id, item !== null && !isEditing);
  const [hasFocus, setFocus] = useState(false);
  useShortcuts(item ? { y: () => copyLink({ id }), r: () => focusComposer(thread.scope) } : {});
  // The list beside the panel has keys, too.
  useRowKeys(thread.scope, hasFocus);
  // Notes get a panel that is wide enough to read comfortably, even while they are edited.
  const isWide = kind === 'note';
  if (!item) {
    return (
      <Panel title={TITLES[kind]} hubName={hubName} isWide={isWide}>
        {result.status === 'loading' && !last.current && <PanelSkeleton what={`the ${NOUNS[kind]}`} />}
        {result.status === 'failed' && <ErrorNotice text={result.text} onRetry={result.retry} />}
        {(result.status === 'missing' || result.status === 'ready') && (
          <DeletedItem id={id} kind={kind} title={last.current?.title} />
        )}
      </Panel>
    );
  }
  return (
    <Panel
      title={TITLES[kind]}
      hubName={hubName}
      isWide={isWide}
      tools={<Tools item={item} isEditing={isEditing} onEdit={onEdit} />}
      isScrolledInside={!isEditing}
      foot={!isEditing && <ReplyComposer item={item} {...thread} />}
    >
      {isEditing ? (
        <div class="detail">{children(item)}</div>
      ) : (
        <div class="feed-box" onFocusIn={() => setFocus(true)} onFocusOut={() => setFocus(false)}>
          <ThreadFeed item={item} {...thread}>
            <div class="detail">{children(item)}</div>
          </ThreadFeed>
        </div>
      )}
    </Panel>
  );
}

function isOfKind<K extends Kind>(item: { kind: string }, kind: K): item is Extract<Note | Todo, { kind: K }> {
  return item.kind === kind;
}

/** The state of a deleted or unknown item, with the user's unsaved edit of it. */
function DeletedItem({ id, kind, title }: { id: string; kind: Kind; title: string | null | undefined }) {
  const [draft, setDraft] = useDraft<EditDraft>(editDraftKey(id), null, isEditDraft);
  const text = draft === null ? '' : [draft.title, draft.content].filter((part) => !isBlank(part)).join('\n\n');
  return (
    <div class="empty" role="status">
      <p>
        {title === undefined
          ? `This ${NOUNS[kind]} doesn’t exist. It may have been deleted.`
          : `${title === null ? `This ${NOUNS[kind]}` : `“${title}”`} was deleted.`}
      </p>
      {draft !== null && (
        <>
          <p>Your unsaved edit:</p>
          <blockquote class="written-text">{text}</blockquote>
          <Button label="Copy your text" onClick={() => void copyText(text, 'Text copied.')} />
          <Button variant="is-bare" label="Discard your text" onClick={() => setDraft(null)} />
        </>
      )}
      <UnsentReply draftKey={id} />
      <a class="btn" href={withPanel(null)}>
        Close
      </a>
    </div>
  );
}

function Tools({ item, isEditing, onEdit }: { item: Note | Todo; isEditing: boolean; onEdit: () => void }) {
  const { hubs } = useWorkspace();
  const [isDeleting, setDeleting] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useLayoutEffect(() => {
    // The editor was removed, and the focus with it.
    if (wasEditing.current && document.activeElement === document.body) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <>
      {!isEditing && <FollowThread key={item.id} item={item} />}
      {!isEditing && (
        <button class="icon-btn is-small" type="button" ref={edit} aria-label="Edit" onClick={onEdit}>
          <Pencil />
        </button>
      )}
      <MenuOpener
        class="icon-btn is-small"
        aria-label="More"
        label={`${TITLES[item.kind]} actions`}
        items={() => [
          { label: 'Copy link', icon: <Link />, run: () => copyLink(item) },
          pinAction(hubs, item),
          { label: 'Delete', icon: <Trash2 />, isDestructive: true, run: () => setDeleting(true) },
        ]}
      >
        <Ellipsis />
      </MenuOpener>
      {isDeleting && <DeletionDialog item={item} prepare={() => leavePanel(item)} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Returns what closes the panel of an item and focuses the row beside it, which its event may already have removed. */
function leavePanel({ id }: Item): () => void {
  const beside = rowsBeside(id);
  return () => {
    if (openItemId.peek() !== id) return;
    leaveFocusTo(beside);
    closePanel();
  };
}

/** Returns the rows around the row of an item, nearest first: those below it, then those above it. */
function rowsBeside(id: string): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>('#main :is([data-row], [data-note], [data-todo])')];
  const at = rows.findIndex(({ dataset }) => [dataset.row, dataset.note, dataset.todo].includes(id));
  return at < 0 ? [] : [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
}
