import type { AvatarRef } from '@hub/contract';
import type { AvatarListing } from '../storage/avatar-store.ts';

export function avatarRef({ ownerId, version }: AvatarListing, kind: AvatarRef['kind']): AvatarRef {
  return { id: ownerId, kind, version };
}
