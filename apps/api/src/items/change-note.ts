import type { ChangeNoteBody, Note } from '@hub/contract';
import { actingUserOf, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { findUndeletedItem, NOTE } from './item-rights.ts';
import { noteView } from './item-view.ts';

/** Edits a note. Every member of the Hub can do this. */
export async function changeNote(
  deps: Deps,
  caller: Caller,
  noteId: string | null,
  { title, content, baseVersion }: ChangeNoteBody,
): Promise<Note> {
  const note = await findUndeletedItem(deps, caller, noteId, NOTE);
  const changed = await deps.store.items.change({
    itemId: note.id,
    at: deps.clock.now(),
    personId: caller.user?.id ?? null,
    changes: { ...(title === undefined ? {} : { title }), ...(content === undefined ? {} : { body: content }) },
    baseVersion,
    actingUser: actingUserOf(caller),
  });
  return noteView(changed);
}
