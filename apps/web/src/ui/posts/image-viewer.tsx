import { ArrowLeft, ArrowRight, Download, X } from 'icons';
import { useRef, useState } from 'preact/hooks';
import { sizeText } from '../../lib/count-text.ts';
import { fileUrl, type ImageFile } from '../../lib/items.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { useBackToClose } from '../../lib/router/location.ts';
import { IconButton } from '../button.tsx';
import { useModal } from '../dialog.tsx';

/** A swipe moves on if it is longer than this, in pixels. */
const SWIPE = 48;

interface ImageViewerProps {
  files: readonly ImageFile[];
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
}

/** Shows one of the images of an item on the whole screen, as it was uploaded. */
export function ImageViewer({ files, index, onMove, onClose }: ImageViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Where a swipe began; `null` with several fingers, which zoom the page. */
  const swipe = useRef<number | null>(null);
  const [isActualSize, setActualSize] = useState(false);
  useBackToClose(onClose);
  useModal(dialog);
  const move = (by: number) => {
    const next = index + by;
    if (next < 0 || next >= files.length) return;
    setActualSize(false);
    onMove(next);
  };
  const file = files[index];
  if (!file) return null;
  const name = shownText(file.name);
  return (
    <dialog
      class="viewer"
      ref={dialog}
      aria-label={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'ArrowLeft') move(-1);
        if (event.key === 'ArrowRight') move(1);
      }}
      onTouchStart={({ touches }) => {
        const isZoomed = isActualSize || (visualViewport?.scale ?? 1) > 1;
        swipe.current = isZoomed || touches.length > 1 ? null : (touches[0]?.clientX ?? null);
      }}
      onTouchEnd={({ changedTouches }) => {
        if (swipe.current === null) return;
        const by = (changedTouches[0]?.clientX ?? 0) - swipe.current;
        if (Math.abs(by) > SWIPE) move(by > 0 ? -1 : 1);
      }}
    >
      <header>
        <bdi class="cut">{name}</bdi>
        <span class="size">
          {sizeText(file.size)}
          {files.length > 1 && `, ${index + 1} of ${files.length}`}
        </span>
        <a class="icon-btn" href={fileUrl(file)} download={file.name} aria-label="Download">
          <Download />
        </a>
        <IconButton icon={<X />} label="Close" onClick={onClose} />
      </header>
      <button
        class={isActualSize ? 'canvas is-actual' : 'canvas'}
        type="button"
        aria-label={isActualSize ? 'Fit to the window' : 'Show in original size'}
        // A click beside the image closes it; one by the keyboard has no place (`detail` 0).
        onClick={({ target, detail }) =>
          detail === 0 || target instanceof HTMLImageElement ? setActualSize(!isActualSize) : onClose()
        }
      >
        <img src={fileUrl(file)} alt={name} width={file.width} height={file.height} />
      </button>
      {index > 0 && <IconButton icon={<ArrowLeft />} label="Previous image" onClick={() => move(-1)} />}
      {index < files.length - 1 && <IconButton icon={<ArrowRight />} label="Next image" onClick={() => move(1)} />}
    </dialog>
  );
}
