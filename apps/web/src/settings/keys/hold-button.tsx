import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ignoreUntilReleased } from './ignore-until-released.ts';

/** Long enough that no slip does it, short enough for an emergency. */
const HOLD_MS = 900;

interface HoldButtonProps {
  children: ComponentChildren;
  isDisabled: boolean;
  onHeld: () => void;
}

/**
 * Does it when it was held for a moment, with a finger, the mouse, or Space or Enter. Letting go, or moving off it, is a change of
 * mind. Whoever cannot hold needs another way beside it.
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
        Hold it for a second, with a finger, the mouse, Space or Enter.
      </p>
    </div>
  );
}
