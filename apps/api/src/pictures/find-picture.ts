import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { printable } from '../printable.ts';
import type { PictureRecord } from '../store/picture-store.ts';
import { viewerIdOf } from './list-pictures.ts';

/** The picture of a person or the bot, or a `not_found` refusal: whether there is such a person, it does not say. */
export async function findPicture(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  ownerId: string | null,
): Promise<PictureRecord> {
  const found = ownerId === null ? null : await store.pictures.find({ ownerId, viewerId: viewerIdOf(caller) });
  if (!found) throw new Refusal('not_found', `There is no picture of ${printable(ownerId ?? 'that')}.`);
  return found;
}
