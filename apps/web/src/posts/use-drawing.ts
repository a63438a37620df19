import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** Drawn at once; the rest follows, a part with each frame, so that the page answers meanwhile. */
const FIRST_PARTS = 2;

/** How many of so many parts are to be there by now. */
export function useDrawing(parts: number): ReadonlySignal<number> {
  const upTo = useSignal(Math.min(parts, FIRST_PARTS));
  useLayoutEffect(() => {
    let frame = 0;
    upTo.value = Math.max(upTo.peek(), Math.min(parts, FIRST_PARTS));
    const more = () => {
      if (upTo.peek() >= parts) return;
      upTo.value += 1;
      frame = requestAnimationFrame(more);
    };
    frame = requestAnimationFrame(more);
    return () => cancelAnimationFrame(frame);
  }, [parts]);
  return upTo;
}
