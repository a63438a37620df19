import { LIMITS, type UploadedFile } from '@hub/contract';
import { AppError } from '../../platform/errors.ts';
import { hiddenCharacter } from '../../platform/hidden-character.ts';
import { isoTime } from '../../platform/time.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { FileWriter } from '../../storage/store.ts';
import type { FileDeps } from './files.ts';
import { imageSize, imageType, isInline } from './images.ts';

const MIB = 1024 * 1024;
/** The size of an image is in its first bytes; in a JPEG, after metadata that can be longer than its rest. */
const HEAD_BYTES = 256 * 1024;
/** Beyond this size, bodies that arrive faster than they are written would fill the memory. */
const LARGE_BYTES = MIB;
const PATH_CHARACTERS = /[/\\]/;

/** The body of a request, as `streamBody` and `announcedBytes` of `http/` read it. */
interface UploadBody {
  readonly contentType: string | null;
  readonly wrongType: AppError | null;
  readonly announcedBytes: number | null;
  stream(
    rules: { maxBytes: number; tooLarge: (actual: string) => AppError; wrongType: AppError | null },
    take: (chunk: Uint8Array) => Promise<void>,
  ): Promise<number>;
  pass(
    rules: Parameters<UploadBody['stream']>[0],
    options: { take: (body: ReadableStream<Uint8Array>) => Promise<void>; received: () => number },
  ): Promise<void>;
}

interface Upload {
  hubId: string;
  name: string;
  body: UploadBody;
  /** Throws, in the transaction that makes the file last, unless the sender may still do it. */
  authorize(tx: Repositories): Promise<unknown>;
}

/** Stores the body of a request as a file, while it arrives. Resolves once it is on disk. */
export async function uploadFile(
  { store, clock, newId, previews, limits: { maxFileBytes, filesMaxBytes } }: FileDeps,
  { hubId, name, body, authorize }: Upload,
): Promise<UploadedFile> {
  const contentType = mediaType(body.contentType);
  const wrongType = body.wrongType ?? formProblem(contentType);
  const rules = { maxBytes: maxFileBytes, tooLarge: tooLarge(maxFileBytes), wrongType };
  requireRoom(await store.files.totalBytes(), body.announcedBytes ?? 0, filesMaxBytes);
  const id = newId('file');
  const hash = new Bun.CryptoHasher('sha256');
  let sha256: string | undefined;
  let head = Buffer.alloc(0);
  let size = 0;
  // The body may fail while the file is being created.
  let created: Promise<FileWriter> | undefined;
  const write = async (chunk: Uint8Array): Promise<void> => {
    size += chunk.byteLength;
    hash.update(chunk);
    const isImage = head.length === 0 || imageType(head) !== null;
    if (isImage && head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    created ??= store.contents.create(id);
    await (await created).write(chunk);
  };
  let received = () => size;
  const take = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    created = store.contents.create(id);
    const writer = await created;
    if (!writer.receive) for await (const chunk of stream) await write(chunk);
    else {
      received = writer.received ?? received;
      ({ sha256, head } = await writer.receive(stream, HEAD_BYTES));
      size = received();
    }
  };
  try {
    const isLarge = (body.announcedBytes ?? 0) >= LARGE_BYTES;
    if (isLarge) await body.pass(rules, { take, received: () => received() });
    else await body.stream(rules, write);
    checkName(name);
    if (!created) throw new AppError('invalid', 'The body is empty. Send the file as the body of the request.');
    const writer = await created;
    await writer.finish();
    const type = imageType(head) ?? (isInline(contentType) ? 'application/octet-stream' : contentType);
    const { width, height } = (isInline(type) ? await imageSize(head) : null) ?? { width: null, height: null };
    const file = {
      id,
      hubId,
      name,
      size,
      contentType: type,
      sha256: sha256 ?? hash.digest('hex'),
      createdAt: clock.now(),
    };
    await store.transaction(async (tx) => {
      await authorize(tx);
      requireRoom(await tx.files.totalBytes(), size, filesMaxBytes);
      await tx.files.insert({ ...file, width, height, color: null, itemId: null });
    });
    await writer.keep();
    previews.prepare({ id, size, width });
    return { id, name, size, contentType: type, createdAt: isoTime(file.createdAt) };
  } catch (error) {
    const writer = await created?.catch(() => null);
    await writer?.discard();
    throw error;
  }
}

function checkName(name: string): void {
  const characters = [...name].length;
  if (name.trim() === '') throw new AppError('invalid', 'name is required: send it as ?name=report.png');
  if (characters > LIMITS.fileNameCodePoints)
    throw new AppError(
      'invalid',
      `name has ${characters} characters; at most ${LIMITS.fileNameCodePoints} are accepted`,
    );
  if (PATH_CHARACTERS.test(name) || name === '.' || name === '..')
    throw new AppError('invalid', 'name cannot contain / or \\: send the name without its folders');
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name) || hiddenCharacter(name) !== null)
    throw new AppError('invalid', 'name cannot contain control characters, line breaks or invisible characters');
}

function requireRoom(used: number, added: number, most: number): void {
  if (used + added <= most) return;
  throw new AppError(
    'too_large',
    `The files of this workspace take ${used} of ${most} bytes (HUB_FILES_MAX_BYTES), and this one has no room. Delete files, or ask your admin for more.`,
  );
}

const tooLarge =
  (most: number) =>
  (actual: string): AppError =>
    new AppError(
      'too_large',
      `The file has ${actual} bytes; at most ${most} (${Math.floor(most / MIB)} MiB) are accepted. Send a smaller file.`,
    );

function formProblem(contentType: string): AppError | null {
  if (contentType !== 'multipart/form-data') return null;
  return new AppError(
    'unsupported_media_type',
    'Send the file as the body of the request, not in a form: curl --data-binary @FILE, instead of --form.',
  );
}

/** Returns the type without its parameters; for one that is missing or malformed (RFC 9110, section 8.3.1), the general one. */
function mediaType(contentType: string | null): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  // curl sends it with --data-binary, whatever the file is.
  if (type === 'application/x-www-form-urlencoded') return 'application/octet-stream';
  return /^[a-z0-9!#$&^_.+-]{1,63}\/[a-z0-9!#$&^_.+-]{1,63}$/.test(type) ? type : 'application/octet-stream';
}
