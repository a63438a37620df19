import { MAX_ITEM_FILES } from '@hub/contract/common-limits';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useStoredText } from '../../data/unsent/composer-drafts.ts';
import { storageKey } from '../../data/unsent/unsaved-text.ts';
import type { AttachedFile } from '../../data/unsent/unsent.ts';
import { randomId } from '../../lib/stored.ts';
import { toast } from '../toast.tsx';

/** A file of this computer that is being uploaded, or could not be. */
export interface Upload {
  readonly id: string;
  readonly file: File;
}

export interface Attached {
  /** Uploaded files. They are kept like the text of the draft. */
  files: readonly AttachedFile[];
  uploads: readonly Upload[];
  add: (files: readonly File[]) => void;
  onUploaded: (upload: Upload, file: AttachedFile) => void;
  remove: (id: string) => void;
}

/** The files of a draft that is kept in this browser under this name, beside its text. */
export function useAttachedDraft(userId: string, name: string): Attached & { clear: () => void } {
  const { text, write, clear } = useStoredText(storageKey('draft', userId, `${name}.files`));
  const files = useMemo<readonly AttachedFile[]>(
    () => (text === '' ? [] : (JSON.parse(text) as AttachedFile[])),
    [text],
  );
  const attached = useAttached(files, (all) => (all.length === 0 ? clear() : write(JSON.stringify(all))));
  return { ...attached, clear };
}

/** Files that are uploaded as soon as they are added. `write` is called with all that are uploaded. */
export function useAttached(files: readonly AttachedFile[], write: (files: readonly AttachedFile[]) => void): Attached {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const withoutUpload = (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id));
  // Several uploads can end before the next rendering.
  const latest = useRef(files);
  latest.current = files;
  /** The ids of files and uploads, as they were added. */
  const order = useRef(files.map(({ id }) => id));
  const writeAll = (all: readonly AttachedFile[]) => {
    latest.current = all;
    write(all);
  };
  return {
    files,
    uploads,
    add: (added) => {
      const room = Math.max(0, MAX_ITEM_FILES - files.length - uploads.length);
      const more = added.slice(0, room).map((file) => ({ id: randomId(), file }));
      if (added.length > room)
        toast(`At most ${MAX_ITEM_FILES} files: ${added.length - room} left out.`, { isError: true });
      order.current.push(...more.map(({ id }) => id));
      setUploads([...uploads, ...more]);
    },
    onUploaded: ({ id }, file) => {
      withoutUpload(id);
      order.current = order.current.map((each) => (each === id ? file.id : each));
      const place = (each: AttachedFile) => order.current.indexOf(each.id);
      writeAll([...latest.current, file].sort((one, other) => place(one) - place(other)));
    },
    remove: (id) => {
      withoutUpload(id);
      if (latest.current.some((file) => file.id === id)) writeAll(latest.current.filter((file) => file.id !== id));
    },
  };
}

/** Adds files that are dropped anywhere on the panel or the page of a form. */
export function useDroppedFiles(form: { current: HTMLElement | null }, add: Attached['add']): void {
  useEffect(() => {
    const area = form.current?.closest<HTMLElement>('.panel, main');
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      add([...(event.dataTransfer?.files ?? [])]);
    };
    area?.addEventListener('dragover', over);
    area?.addEventListener('drop', drop);
    return () => {
      area?.removeEventListener('dragover', over);
      area?.removeEventListener('drop', drop);
    };
  }, [add]);
}
