import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ignoreUntilReleased } from './ignore-until-released.ts';

/** Long enough to rule out accidents, short enough for an emergency. */
const HOLD_MS = 900;

interface HoldButtonProps {
  children: ComponentChildren;
  isDisabled: boolean;
  onHeld: () => void;
}

/**
 * A button that acts after being held for a moment by touch, mouse, Space or Enter. Releasing it or moving off it
 * cancels. Users who cannot hold a button need an alternative beside it.
 */
export function HoldButton({ children, isDisabled, onHeld }: HoldButtonProps) {
  const help = useId();
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  const hold = () => {
    if (isDisabled || timer.current !== undefined) return;
    setHeld(true);
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
        class={isHeld ? 'btn is-bad is-wide hold-btn is-held' : 'btn is-bad is-wide hold-btn'}
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
      <p class="help" id={help}>
        Press and hold for a second. Space and Enter work too.
      </p>
    </div>
  );
}
