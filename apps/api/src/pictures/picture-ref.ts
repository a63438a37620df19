import type { PictureRef } from '@hub/contract';
import type { PictureListing } from '../store/picture-store.ts';

export function pictureRef({ ownerId, version }: PictureListing, kind: PictureRef['kind']): PictureRef {
  return { id: ownerId, kind, version };
}
