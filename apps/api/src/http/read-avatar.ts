import { LIMITS } from '@hub/contract';
import { avatarType, checkAvatar } from '../avatars/check-avatar.ts';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { readBody } from './read-body.ts';

const TYPES = 'image/png, image/jpeg or image/webp';

/** Reads a picture of at most 256 KiB. Refuses in the order of the product's rules: 413, then 415, then 400. */
export async function readAvatar(request: Request) {
  const sent = request.headers.get('content-type');
  const said = avatarType(sent);
  const bytes = await readBody(request, { most: LIMITS.avatarBytes, tooLarge, wrongType: typeProblem(request, said) });
  if (said === null) throw notAvatar(sent);
  if (bytes.length === 0) throw new AppError('invalid', 'The body is empty. Send the bytes of a picture.');
  return { type: checkAvatar(bytes, said), bytes };
}

function tooLarge(actual: string): AppError {
  return new AppError(
    'too_large',
    `The picture has ${actual} bytes; at most ${LIMITS.avatarBytes} (256 KiB) are accepted. Scale it down, or save it as a smaller file.`,
  );
}

function typeProblem({ headers }: Request, said: string | null): AppError | null {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return new AppError(
      'unsupported_media_type',
      `The Content-Encoding ${printable(encoding)} is not accepted. Leave that header out and send the picture as it is.`,
    );
  }
  return said === null ? notAvatar(headers.get('content-type')) : null;
}

function notAvatar(sent: string | null): AppError {
  const found = sent === null ? 'The Content-Type is missing' : `The Content-Type ${printable(sent)} is no picture's`;
  return new AppError('unsupported_media_type', `${found}. Send a PNG, JPEG or WebP as ${TYPES}.`);
}
