/** Events that a finger, mouse button or key that is still pressed sends to the element now below it. */
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
 * Swallows input until the current press is released: holding longer than needed must not trigger anything else. A held
 * key would otherwise press the newly focused element repeatedly.
 */
export function ignoreUntilReleased(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    // The click that belongs to this release fires right after it.
    if (RELEASES.has(event.type)) setTimeout(stop);
  };
  const stop = () => {
    for (const type of PRESSES) removeEventListener(type, swallow, { capture: true });
    removeEventListener('blur', stop);
  };
  for (const type of PRESSES) addEventListener(type, swallow, { capture: true });
  // A release in another window sends no event to this one.
  addEventListener('blur', stop);
}
