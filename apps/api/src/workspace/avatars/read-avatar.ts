import { AVATAR_TYPES, type AvatarType, LIMITS } from '@hub/contract';
import { readBody } from '../../http/read-body.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { readAvatarHead } from './avatar-head.ts';

const NAMES: Readonly<Record<AvatarType, string>> = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' };

/** Reads an image of at most 256 KiB. Checks in the documented order: 413, then 415, then 400. */
export async function readAvatar(request: Request) {
  const contentType = request.headers.get('content-type');
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  const declared = AVATAR_TYPES.find((type) => type === mediaType);
  const wrongType = encodingProblem(request) ?? (declared === undefined ? notAvatar(contentType) : null);
  const bytes = await readBody(request, { maxBytes: LIMITS.avatarBytes, tooLarge, wrongType });
  if (declared === undefined) throw notAvatar(contentType);
  if (bytes.length === 0) throw new AppError('invalid', 'The body is empty. Send an image.');
  return { type: checkAvatar(bytes, declared), bytes };
}

function tooLarge(actual: string): AppError {
  return new AppError(
    'too_large',
    `The image has ${actual} bytes; at most ${LIMITS.avatarBytes} (256 KiB) are accepted. Use a smaller image.`,
  );
}

function encodingProblem({ headers }: Request): AppError | null {
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return null;
  return new AppError(
    'unsupported_media_type',
    `The Content-Encoding ${printable(encoding)} is not supported. Remove the header and send the image uncompressed.`,
  );
}

function notAvatar(contentType: string | null): AppError {
  const problem =
    contentType === null
      ? 'The Content-Type is missing'
      : `The Content-Type ${printable(contentType)} is not supported`;
  return new AppError(
    'unsupported_media_type',
    `${problem}. Send a PNG, JPEG or WebP image as image/png, image/jpeg or image/webp.`,
  );
}

/**
 * Returns the type of an image that matches its `Content-Type`, and whose header is complete, not animated and not too
 * large. Only the header is read: browsers decode the image, but the server never does.
 */
function checkAvatar(bytes: Uint8Array, declared: AvatarType): AvatarType {
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
