import { AVATAR_TYPES, LIMITS } from '@hub/contract';
import { readBody } from '../../http/read-body.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { imageSize, imageType, scaledImage } from '../files/images.ts';

/** Width and height of a stored avatar, in pixels: twice the largest one that is shown. */
const SIDE = 256;
const QUALITY = 90;

const isAvatarType = (type: string | null): boolean => (AVATAR_TYPES as readonly (string | null)[]).includes(type);

/**
 * Reads an image of at most 256 KiB, and returns it as a small WebP image without metadata. Checks in the documented
 * order: 413, then 415, then 400.
 */
export async function readAvatar(request: Request): Promise<Uint8Array> {
  const contentType = request.headers.get('content-type');
  const isDeclared = isAvatarType(contentType?.split(';')[0]?.trim().toLowerCase() ?? null);
  const wrongType = encodingProblem(request) ?? (isDeclared ? null : notAvatar(contentType));
  const bytes = await readBody(request, { maxBytes: LIMITS.avatarBytes, tooLarge, wrongType });
  if (bytes.length === 0) throw new AppError('invalid', 'The body is empty. Send an image.');
  if (!isAvatarType(imageType(Buffer.from(bytes)))) {
    throw new AppError(
      'unsupported_media_type',
      'This file is not a PNG, JPEG or WebP image. Send one of these formats.',
    );
  }
  const size = await imageSize(bytes);
  if (size && Math.max(size.width, size.height) > LIMITS.avatarPixels) {
    const max = `${LIMITS.avatarPixels} × ${LIMITS.avatarPixels}`;
    throw new AppError(
      'invalid',
      `The image has ${size.width} × ${size.height} pixels; at most ${max} are accepted. Scale it down.`,
    );
  }
  const avatar = size && (await scaledImage(bytes, SIDE, QUALITY).catch(() => null));
  if (avatar) return avatar;
  throw new AppError('invalid', 'This image is damaged or incomplete. Save it again and send the new file.');
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
