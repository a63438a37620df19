import { LIMITS } from '@hub/contract';
import { Refusal } from '../errors.ts';
import { checkPicture, pictureType } from '../pictures/check-picture.ts';
import { printable } from '../printable.ts';
import { readBody } from './read-body.ts';

const TYPES = 'image/png, image/jpeg or image/webp';

/** Reads a picture of at most 256 KiB. Refuses in the order of the product's rules: 413, then 415, then 400. */
export async function readPicture(request: Request) {
  const sent = request.headers.get('content-type');
  const said = pictureType(sent);
  const bytes = await readBody(request, { most: LIMITS.pictureBytes, tooLarge, wrongType: typeFault(request, said) });
  if (said === null) throw notPicture(sent);
  if (bytes.length === 0) throw new Refusal('invalid', 'The body is empty. Send the bytes of a picture.');
  return { type: checkPicture(bytes, said), bytes };
}

function tooLarge(actual: string): Refusal {
  return new Refusal(
    'too_large',
    `The picture has ${actual} bytes; at most ${LIMITS.pictureBytes} (256 KiB) are accepted. Scale it down, or save it as a smaller file.`,
  );
}

function typeFault({ headers }: Request, said: string | null): Refusal | null {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return new Refusal(
      'unsupported_media_type',
      `The Content-Encoding ${printable(encoding)} is not accepted. Leave that header out and send the picture as it is.`,
    );
  }
  return said === null ? notPicture(headers.get('content-type')) : null;
}

function notPicture(sent: string | null): Refusal {
  const found = sent === null ? 'The Content-Type is missing' : `The Content-Type ${printable(sent)} is no picture's`;
  return new Refusal('unsupported_media_type', `${found}. Send a PNG, JPEG or WebP as ${TYPES}.`);
}
