import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { hasScreenKeyboard } from '../../../lib/widths.ts';

/** Long enough to rule out accidents, short enough for an emergency. */
const HOLD_MS = 900;

interface HoldButtonProps {
  children: ComponentChildren;
  isDisabled: boolean;
  onHeld: () => void;
}

/**
 * A button that acts after being held for a moment by touch, mouse, Space or Enter. Releasing it or moving off it
 * cancels. The help appears once the button is pressed. Users who cannot hold a button need an alternative beside it.
 */
export function HoldButton({ children, isDisabled, onHeld }: HoldButtonProps) {
  const help = useId();
  const [state, setState] = useState<'untouched' | 'held' | 'released'>('untouched');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setState('released');
  };
  const hold = () => {
    if (isDisabled || timer.current !== undefined) return;
    setState('held');
    timer.current = setTimeout(() => {
      release();
      ignoreUntilReleased();
      onHeld();
    }, HOLD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="hold">
      <button
        class={state === 'held' ? 'btn is-bad is-wide hold-btn is-held' : 'btn is-bad is-wide hold-btn'}
        type="button"
        disabled={isDisabled}
        aria-describedby={help}
        onPointerDown={({ button }) => button === 0 && hold()}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== ' ' && event.key !== 'Enter') return;
          event.preventDefault();
          if (!event.repeat) hold();
        }}
        onKeyUp={release}
        onBlur={release}
      >
        <span>{children}</span>
      </button>
      {/* Screen readers read it from the start. */}
      <p class={state === 'untouched' ? 'help is-invisible' : 'help'} id={help}>
        Hold for a second.{!hasScreenKeyboard() && ' Space and Enter work too.'}
      </p>
    </div>
  );
}

const RELEASES = ['pointerup', 'pointercancel', 'keyup'];
/** Events that a finger, mouse button or key that is still pressed sends to the element now below it. */
const PRESSES = ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'keypress', ...RELEASES];

/**
 * Swallows input until the current press is released: holding longer than needed must not trigger anything else. A held
 * key would otherwise press the newly focused element repeatedly.
 */
function ignoreUntilReleased(): void {
  const listeners = new AbortController();
  const stop = () => listeners.abort();
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    // The click that belongs to this release fires right after it.
    if (RELEASES.includes(event.type)) setTimeout(stop);
  };
  for (const type of PRESSES) addEventListener(type, swallow, { capture: true, signal: listeners.signal });
  // A release in another window sends no event to this one.
  addEventListener('blur', stop, { signal: listeners.signal });
}
