import type { Note, WriteNoteBody } from '@hub/contract';
import type { Static } from '@sinclair/typebox';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { noteView } from './item-view.ts';
import { newItem } from './new-item.ts';

/** Creates a user's note. */
export async function writeNote(
  deps: Deps,
  caller: Caller,
  hubId: string | null,
  { title, content }: Static<typeof WriteNoteBody>,
): Promise<Note> {
  const hub = await readableHub(deps.store, caller, hubId);
  const item = newItem(deps, caller, { kind: 'note', hubId: hub.id, title: title ?? null, body: content });
  return noteView(await deps.store.items.create(item));
}
