import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/**
 * How many parts are drawn in the first frame. The rest follow, one part per frame, so that the page stays responsive.
 */
const FIRST_PARTS = 2;

/** Returns how many of the parts should be drawn by now. */
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
