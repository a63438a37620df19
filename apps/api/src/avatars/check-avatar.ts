import { AVATAR_TYPES, type AvatarType, LIMITS } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { readAvatarHead } from './avatar-head.ts';

const NAMES: Readonly<Record<AvatarType, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
};

/** Returns the image type that a `Content-Type` names, or null if it is not accepted. */
export function avatarType(contentType: string | null): AvatarType | null {
  const named = contentType?.split(';')[0]?.trim().toLowerCase();
  return AVATAR_TYPES.find((type) => type === named) ?? null;
}

/**
 * Returns the type of an image that can be stored: it matches its `Content-Type`, its header is complete, and it is
 * neither animated nor too large. Throws `unsupported_media_type` or `invalid` otherwise. Only the header is read:
 * browsers decode the image, but the server never does.
 */
export function checkAvatar(bytes: Uint8Array, declared: AvatarType): AvatarType {
  const head = readAvatarHead(bytes);
  if (head === null) {
    throw new AppError(
      'unsupported_media_type',
      'This file is not a PNG, JPEG or WebP image. Send one of these formats.',
    );
  }
  const name = NAMES[head.type];
  if (head.type !== declared) {
    throw new AppError(
      'unsupported_media_type',
      `The Content-Type is ${printable(declared)}, but the file is a ${name}. Send it as "Content-Type: ${head.type}".`,
    );
  }
  const { size } = head;
  if (size === null || size.width === 0 || size.height === 0) {
    throw new AppError(
      'invalid',
      `This ${name} is damaged or incomplete: its size cannot be read. Save the image again and send the new file.`,
    );
  }
  if (size.width > LIMITS.avatarPixels || size.height > LIMITS.avatarPixels) {
    const max = `${LIMITS.avatarPixels} × ${LIMITS.avatarPixels}`;
    throw new AppError(
      'invalid',
      `The image has ${size.width} × ${size.height} pixels; at most ${max} are accepted. Scale it down.`,
    );
  }
  if (head.isAnimated) throw new AppError('invalid', 'Animated images are not accepted. Send a still image.');
  return head.type;
}
