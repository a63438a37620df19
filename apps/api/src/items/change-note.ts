import type { ChangeNoteBody, Note } from '@hub/contract';
import { type Caller, stateOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { NOTE, presentItem } from './item-rights.ts';
import { noteView } from './item-view.ts';

/** By any member: a note is the team's. */
export async function changeNote(
  deps: Deps,
  caller: Caller,
  noteId: string | null,
  { title, content, baseVersion }: ChangeNoteBody,
): Promise<Note> {
  const note = await presentItem(deps, caller, noteId, NOTE);
  const changed = await deps.store.items.change({
    itemId: note.id,
    at: deps.clock.now(),
    personId: caller.user?.id ?? null,
    changes: { ...(title === undefined ? {} : { title }), ...(content === undefined ? {} : { body: content }) },
    baseVersion,
    by: stateOf(caller),
  });
  return noteView(changed);
}
