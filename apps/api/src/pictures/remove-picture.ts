import type { PictureRef } from '@hub/contract';
import { auditRecord, type Caller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { PictureOwner } from './picture-owner.ts';
import { pictureRef } from './picture-ref.ts';

/** Takes the picture of a person or the bot away. */
export async function removePicture(
  deps: Pick<Deps, 'store' | 'clock' | 'newId'>,
  caller: Caller,
  owner: PictureOwner,
): Promise<PictureRef> {
  const audit = auditRecord(deps, caller, { ...owner.audited, details: { to: { picture: null } } });
  const removed = await deps.store.pictures.remove({ ownerId: owner.id, audit, by: standingOf(caller) });
  if (!removed) throw new Refusal('not_found', 'There is no picture to remove.');
  return pictureRef(removed, owner.kind);
}
