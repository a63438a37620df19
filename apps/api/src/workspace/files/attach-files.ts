import { type ItemFile, LIMITS } from '@hub/contract';
import { AppError, printable } from '../../platform/errors.ts';
import { HOUR_MS } from '../../platform/time.ts';
import type { FileRecord } from '../../storage/files.ts';
import type { PostFiles } from '../../storage/store.ts';

/**
 * Returns the rule for the files of a new item, or of one that has its `own` already. A file can be attached once, to an
 * item of the Hub to which it was uploaded. Which of that is not so is not told: it would reveal files of other Hubs.
 */
export function filesOf(
  ids: readonly string[],
  { hubId, at, own = [] }: { hubId: string; at: number; own?: readonly ItemFile[] },
): PostFiles | undefined {
  if (ids.length === 0) return undefined;
  for (const [index, id] of ids.entries()) {
    const first = ids.indexOf(id);
    if (first !== index)
      throw new AppError('invalid', `files[${index}] is the same as files[${first}]: list each file once`);
  }
  const oldest = at - LIMITS.unattachedFileHours * HOUR_MS;
  const kept = new Map(own.map((file) => [file.id, file]));
  return {
    ids: ids.filter((id) => !kept.has(id)),
    describe: (rows) => {
      const byId = new Map(rows.map((row) => [row.id, row]));
      const described = ids.map((id, index) => {
        const former = kept.get(id);
        if (former) return former;
        const file = byId.get(id);
        if (file && file.hubId === hubId && file.itemId === null && file.createdAt > oldest) return fileView(file);
        throw new AppError(
          'invalid',
          `files[${index}] ${printable(id, 64)} cannot be attached: it was not uploaded to this Hub within ${LIMITS.unattachedFileHours} hours, or is part of another item. Upload the file again.`,
        );
      });
      return JSON.stringify(described);
    },
  };
}

/** Returns a file as items show it. */
export function fileView({
  id,
  name,
  size,
  contentType,
  width,
  height,
  color,
}: Omit<FileRecord, 'hubId' | 'sha256' | 'createdAt' | 'itemId'>): ItemFile {
  const image = width === null || height === null ? {} : { width, height };
  return { id, name, size, contentType, ...image, ...(color === null ? {} : { color }) };
}

/** Returns the files of an item, as it repeats them, with one that has changed. */
export function recolored(files: string, changed: FileRecord): string {
  const all = JSON.parse(files) as ItemFile[];
  return JSON.stringify(all.map((file) => (file.id === changed.id ? fileView(changed) : file)));
}
