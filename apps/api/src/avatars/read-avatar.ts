import { LIMITS } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { readBody } from '../http/read-body.ts';
import { avatarType, checkAvatar } from './check-avatar.ts';

const TYPES = 'image/png, image/jpeg or image/webp';

/** Reads an image of at most 256 KiB. Checks in the documented order: 413, then 415, then 400. */
export async function readAvatar(request: Request) {
  const sent = request.headers.get('content-type');
  const type = avatarType(sent);
  const bytes = await readBody(request, {
    maxBytes: LIMITS.avatarBytes,
    tooLarge,
    wrongType: typeProblem(request, type),
  });
  if (type === null) throw notAvatar(sent);
  if (bytes.length === 0) throw new AppError('invalid', 'The body is empty. Send an image.');
  return { type: checkAvatar(bytes, type), bytes };
}

function tooLarge(actual: string): AppError {
  return new AppError(
    'too_large',
    `The image has ${actual} bytes; at most ${LIMITS.avatarBytes} (256 KiB) are accepted. Use a smaller image.`,
  );
}

function typeProblem({ headers }: Request, type: string | null): AppError | null {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return new AppError(
      'unsupported_media_type',
      `The Content-Encoding ${printable(encoding)} is not supported. Remove the header and send the image uncompressed.`,
    );
  }
  return type === null ? notAvatar(headers.get('content-type')) : null;
}

function notAvatar(sent: string | null): AppError {
  const found = sent === null ? 'The Content-Type is missing' : `The Content-Type ${printable(sent)} is not supported`;
  return new AppError('unsupported_media_type', `${found}. Send a PNG, JPEG or WebP image as ${TYPES}.`);
}
