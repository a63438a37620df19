import type { PictureRef, PictureType } from '@hub/contract';
import { auditRecord, type Caller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { PictureOwner } from './picture-owner.ts';
import { pictureRef } from './picture-ref.ts';
import { versionOf } from './picture-version.ts';

/** Gives a person or the bot this picture, in place of a former one. */
export async function setPicture(
  deps: Pick<Deps, 'store' | 'clock' | 'newId'>,
  caller: Caller,
  owner: PictureOwner,
  { type, bytes }: { type: PictureType; bytes: Uint8Array },
): Promise<PictureRef> {
  const picture = { ownerId: owner.id, version: versionOf(bytes), type, bytes };
  const audit = auditRecord(deps, caller, { ...owner.audited, details: { to: { picture: picture.version } } });
  await deps.store.pictures.set({ picture, audit, by: standingOf(caller) });
  return pictureRef(picture, owner.kind);
}
