import { type HubFile, LIMITS } from '@hub/contract';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, notFound, tooBusy } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import { isoTime } from '../../platform/time.ts';
import type { FileRecord } from '../../storage/files.ts';
import type { Reads } from '../../storage/repositories.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { fileView, recolored } from './attach-files.ts';
import { averageColor, scaledImage } from './images.ts';

type StoredFile = NonNullable<Awaited<ReturnType<Reads['files']['find']>>>;

/** The dependencies of uploads and downloads. */
export interface FileDeps extends Deps {
  previews: Previews;
}

/** Returns a file of an item that the caller can read. Throws as if unknown otherwise. */
export async function readableFile({ store }: Deps, caller: Caller, fileId: string): Promise<StoredFile> {
  const unknown = notFound('file', fileId);
  const file = await store.files.find(fileId);
  if (!file || file.itemDeletedAt !== null) throw unknown;
  await readableHub(store, caller, file.hubId, unknown);
  return file;
}

/** Returns a page of the files that the items of a Hub show, newest first. */
export async function listFiles(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  { hubId, ...page }: PageRequest & { hubId: string },
): Promise<Page<HubFile>> {
  const { id } = await readableHub(store, caller, hubId);
  return readPage(
    page,
    (rows) => store.files.listOfHub({ ...rows, hubId: id }),
    ({ itemId, parentId, createdAt, ...file }) => ({
      ...fileView(file),
      createdAt: isoTime(createdAt),
      itemId,
      parentId,
      author: { id: file.authorId, kind: file.authorKind, name: file.authorName },
      key: file.keyId === null ? null : { id: file.keyId, name: file.keyName ?? '' },
    }),
  );
}

/** Previews that are made at the same time: each decodes an image of up to 64 megapixels. */
const PREVIEWS_AT_A_TIME = 2;
/** Images that could not be decoded are not tried again until this many others could not. */
const REMEMBERED_FAILURES = 1_000;
const QUALITY = 80;

type Image = Pick<FileRecord, 'id' | 'size' | 'width'>;

/** Makes the previews of images, and finds their colors: after the upload, or when they are first asked for. */
export class Previews {
  readonly #making = new Map<string, Promise<Uint8Array | null>>();
  readonly #failed = new Set<string>();
  readonly #gate: FairGate;

  constructor(private readonly deps: Pick<Deps, 'store' | 'clock' | 'log'>) {
    this.#gate = new FairGate({
      clock: deps.clock,
      perCaller: PREVIEWS_AT_A_TIME,
      total: PREVIEWS_AT_A_TIME,
      maxWaiting: 200,
      maxWaitMs: 20_000,
      busy: () => tooBusy('Too many previews are being made. Try again.'),
    });
  }

  /** Returns the preview of an image. Throws `not_found` if it has none. */
  async find(image: Image): Promise<Uint8Array> {
    const { id, width } = image;
    const isPossible = width !== null && !this.#failed.has(id);
    const kept = isPossible ? await this.deps.store.contents.readPreview(id) : null;
    const preview = kept ?? (isPossible ? await this.#once(image) : null);
    if (!preview) throw notFound('preview of the file', id);
    return preview;
  }

  /** Makes the preview of an image that was uploaded. If the server is too busy, it is made when it is asked for. */
  prepare(image: Image): void {
    if (image.width !== null) void this.#once(image).catch(() => {});
  }

  #once(image: Image): Promise<Uint8Array | null> {
    const preview = this.#making.get(image.id) ?? this.#make(image);
    this.#making.set(image.id, preview);
    return preview;
  }

  async #make({ id, size }: Image): Promise<Uint8Array | null> {
    const { store, log } = this.deps;
    try {
      const release = await this.#gate.enter(id);
      try {
        const original = await readAll(store.contents.read(id, { start: 0, end: size }));
        const preview = await scaledImage(original, LIMITS.previewPixels, QUALITY);
        await this.#keep(id, preview).catch((err) => log.info({ err, fileId: id }, 'Preview not kept'));
        return preview;
      } finally {
        release();
      }
    } catch (err) {
      if (err instanceof AppError) throw err;
      log.info({ err, fileId: id }, 'An image cannot be decoded, so it has no preview');
      if (this.#failed.size >= REMEMBERED_FAILURES) this.#failed.clear();
      this.#failed.add(id);
      return null;
    } finally {
      this.#making.delete(id);
    }
  }

  async #keep(id: string, preview: Uint8Array): Promise<void> {
    const { store, clock } = this.deps;
    await store.contents.writePreview(id, preview);
    const color = await averageColor(preview);
    await store.transaction(async (tx) => {
      const [file] = await tx.files.listed([id]);
      if (!file || file.color === color) return;
      await tx.files.setColor(id, color);
      const item = file.itemId === null ? null : await tx.items.find(file.itemId);
      // It was attached before the color was known. A view that already shows it has its preview by now.
      if (item?.files) await tx.items.update(item, { files: recolored(item.files, { ...file, color }) }, clock.now());
    });
  }
}

async function readAll(content: Blob | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return content instanceof Blob ? content.bytes() : Buffer.concat(await Array.fromAsync(content));
}
