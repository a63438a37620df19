import type { Note } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { PostBody } from '../posts/post-body.tsx';
import { hasEditDraft } from '../words/edit-draft.ts';
import { ItemPanel } from '../words/item-panel.tsx';
import { MadeBy, SourceMessage } from '../words/source-line.tsx';
import { When } from '../words/when.tsx';
import { WordsEditor } from '../words/words-editor.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

/** One note, to read and to edit. */
export function NotePanel({ id }: { id: string }) {
  const { me } = useWorkspace();
  const [isEditing, setEditing] = useState(() => hasEditDraft(me.peek().id, id));
  return (
    <ItemPanel id={id} kind="note" isEditing={isEditing} onEdit={() => setEditing(true)}>
      {(note) =>
        isEditing ? (
          <WordsEditor
            item={note}
            titleLabel="Title, if it has one"
            mostContent={LIMITS.noteContentCodePoints}
            onDone={() => setEditing(false)}
          />
        ) : (
          <Reading note={note} />
        )
      }
    </ItemPanel>
  );
}

function Reading({ note }: { note: Note }) {
  return (
    <article class="note-text">
      <header>
        {note.title !== null && (
          <h3>
            <bdi>{note.title}</bdi>
          </h3>
        )}
        <p>
          <MadeBy item={note} />
          <span>
            <When at={note.createdAt} />
            {note.editedAt !== null && (
              <>
                {' · edited '}
                {note.editedBy && (
                  <>
                    by <bdi>{note.editedBy.name}</bdi>{' '}
                  </>
                )}
                <When at={note.editedAt} />
              </>
            )}
          </span>
        </p>
      </header>
      <PostBody item={note} />
      {note.sourceId !== null && <SourceMessage id={note.sourceId} hubId={note.hubId} />}
    </article>
  );
}
