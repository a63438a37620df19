/** What a finger, a mouse or a key that is still down does to whatever stands beneath it by now. */
const PRESSES = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'keydown',
  'keypress',
  'keyup',
  'pointercancel',
];
const RELEASES: ReadonlySet<string> = new Set(['pointerup', 'pointercancel', 'keyup']);

/**
 * Whoever holds something for longer than is needed means nothing more by it: until it is let go, presses reach nobody. A key
 * would press whatever has the focus next, again and again.
 */
export function ignoreUntilReleased(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    // The click of this press comes right behind it.
    if (RELEASES.has(event.type)) setTimeout(stop);
  };
  const stop = () => {
    for (const type of PRESSES) removeEventListener(type, swallow, { capture: true });
    removeEventListener('blur', stop);
  };
  for (const type of PRESSES) addEventListener(type, swallow, { capture: true });
  // What is let go in another window is told to nobody here.
  addEventListener('blur', stop);
}
