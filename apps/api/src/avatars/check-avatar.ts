import { AVATAR_TYPES, type AvatarType, LIMITS } from '@hub/contract';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { readAvatarHead } from './avatar-head.ts';

const NAMES: Readonly<Record<AvatarType, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
};

/** The type that a `Content-Type` names, if it is one of a picture that is taken. */
export function avatarType(contentType: string | null): AvatarType | null {
  const named = contentType?.split(';')[0]?.trim().toLowerCase();
  return AVATAR_TYPES.find((type) => type === named) ?? null;
}

/**
 * The type of a picture that can be kept: one that is what its sender says, whole as far as its head tells, still, and no larger
 * than is shown anywhere. Its bytes decide, and only their head is looked at: browsers decode it, the server never does.
 */
export function checkAvatar(bytes: Uint8Array, said: AvatarType): AvatarType {
  const head = readAvatarHead(bytes);
  if (head === null) {
    throw new AppError(
      'unsupported_media_type',
      'This is no PNG, JPEG or WebP, whatever it is called. Send one of these.',
    );
  }
  const name = NAMES[head.type];
  if (head.type !== said) {
    throw new AppError(
      'unsupported_media_type',
      `The Content-Type is ${printable(said)}, but the bytes are those of a ${name}. Send it as "Content-Type: ${head.type}".`,
    );
  }
  const { size } = head;
  if (size === null || size.width === 0 || size.height === 0) {
    throw new AppError(
      'invalid',
      `This ${name} is damaged or breaks off: its size cannot be read. Save it anew, and send that.`,
    );
  }
  if (size.width > LIMITS.avatarPixels || size.height > LIMITS.avatarPixels) {
    const most = `${LIMITS.avatarPixels} × ${LIMITS.avatarPixels}`;
    throw new AppError(
      'invalid',
      `The picture has ${size.width} × ${size.height} pixels; at most ${most} are accepted. Scale it down.`,
    );
  }
  if (head.isAnimated) throw new AppError('invalid', 'The picture moves. Send one that stands still.');
  return head.type;
}
