import type { ItemFile } from '@hub/contract';
import { Download, Paperclip } from 'icons';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../../lib/count-text.ts';
import { fileUrl, isImage, isText, linesFor, sizeWithin } from '../../lib/items.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { lazy } from '../page/lazy.tsx';

const TextFile = lazy(async () => (await import('./text-file.tsx')).TextFile, { around: () => <div class="lines" /> });
const ImageViewer = lazy(async () => (await import('./image-viewer.tsx')).ImageViewer);

/** The largest size of an image on its own, and of one among several, in pixels. */
const [ALONE, AMONG] = [
  { width: 480, height: 320 },
  { width: 220, height: 150 },
];

/** The files of an item: images in boxes of their final size, and a card for any other, with the end of a text. */
export function Files({ files }: { files: readonly ItemFile[] }) {
  const [opened, setOpened] = useState<number | null>(null);
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const images = files.filter(isImage).filter(({ id }) => !failed.has(id));
  const others = files.filter((file) => !isImage(file) || failed.has(file.id));
  return (
    <div class="files">
      {images.length > 0 && (
        <div class={images.length > 1 ? 'images is-strip' : 'images'}>
          {images.map((file, index) => (
            <a
              key={file.id}
              class="image-file"
              href={fileUrl(file)}
              target="_blank"
              rel="noopener"
              aria-label={`Open ${shownText(file.name)}`}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                setOpened(index);
              }}
            >
              <img
                src={`${fileUrl(file)}/preview`}
                alt={shownText(file.name)}
                {...sizeWithin(file, images.length === 1 ? ALONE : AMONG)}
                // Without the ratio, the box would take that of the preview, whose size is rounded.
                style={{ aspectRatio: `${file.width} / ${file.height}`, backgroundColor: file.color ?? '' }}
                loading="lazy"
                decoding="async"
                onError={() => setFailed(new Set([...failed, file.id]))}
              />
            </a>
          ))}
        </div>
      )}
      {others.map((file) => (
        <Fragment key={file.id}>
          <a class="file" href={fileUrl(file)} download={file.name}>
            <Paperclip />
            <bdi class="cut">{shownText(file.name)}</bdi>
            <span class="size">{sizeText(file.size)}</span>
            <Download />
          </a>
          {isText(file) && (
            <div class="text-file" style={{ '--lines': linesFor(file) }}>
              <TextFile file={file} />
            </div>
          )}
        </Fragment>
      ))}
      {opened !== null && images[opened] && (
        <ImageViewer files={images} index={opened} onMove={setOpened} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}
