import type { Note } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { hasEditDraft } from '../../data/unsent/drafts.ts';
import { CreatedBy, SourceMessage } from '../../ui/items/conversion.tsx';
import { UnsavedEdit } from '../../ui/items/row-parts.tsx';
import { TextEditor } from '../../ui/items/text-editor.tsx';
import { EditedWhen, When } from '../../ui/items/when.tsx';
import { PostBody } from '../../ui/posts/post.tsx';
import { ItemPanel } from '../feed/item-panel.tsx';

export function NotePanel({ id }: { id: string }) {
  const { me } = useWorkspace();
  const [isEditing, setEditing] = useState(() => hasEditDraft(me.peek().id, id));
  return (
    <ItemPanel id={id} kind="note" isEditing={isEditing} onEdit={() => setEditing(true)}>
      {(note) =>
        isEditing ? (
          <TextEditor
            item={note}
            titleLabel="Title (optional)"
            maxContent={LIMITS.noteContentCodePoints}
            onDone={() => setEditing(false)}
            onReopen={() => setEditing(true)}
          />
        ) : (
          <Reading note={note} onEdit={() => setEditing(true)} />
        )
      }
    </ItemPanel>
  );
}

function Reading({ note, onEdit }: { note: Note; onEdit: () => void }) {
  return (
    <article class="note-text">
      <header>
        {note.title !== null && (
          <h3 id={`panel-${note.id}`}>
            <bdi>{note.title}</bdi>
          </h3>
        )}
        <p>
          <CreatedBy item={note} />
          <span>
            <When at={note.createdAt} />
            {note.editedAt !== null && (
              <>
                {' · '}
                <EditedWhen at={note.editedAt} by={note.editedBy} />
              </>
            )}
          </span>
        </p>
      </header>
      <PostBody item={note} />
      <UnsavedEdit id={note.id} onOpen={onEdit} />
      {note.sourceId !== null && <SourceMessage id={note.sourceId} hubId={note.hubId} />}
    </article>
  );
}
