import type { AvatarRef } from '@hub/contract';
import type { AvatarListing } from '../store/avatar-store.ts';

export function avatarRef({ ownerId, version }: AvatarListing, kind: AvatarRef['kind']): AvatarRef {
  return { id: ownerId, kind, version };
}
