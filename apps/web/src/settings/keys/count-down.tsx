import { useEffect, useState } from 'preact/hooks';
import { nextTick, timeLeft } from './time-left.ts';

interface CountDownProps {
  until: number;
  text: (left: string) => string;
  /** The total duration in milliseconds, for the progress bar. Without it, there is no bar. */
  ofMs?: number;
  isBad?: boolean;
  /** Called when the time is up. */
  onEnd?: () => void;
}

/** Time left until something ends. Screen readers do not announce changes, but read the current value on request. */
export function CountDown({ until, text, ofMs, isBad = false, onEnd }: CountDownProps) {
  const left = useTimeLeft(until, onEnd);
  return (
    <>
      <span class="num">{text(timeLeft(left))}</span>
      {ofMs !== undefined && <Bar share={left / ofMs} isBad={isBad} />}
    </>
  );
}

function useTimeLeft(until: number, onEnd?: () => void): number {
  const [, setTick] = useState(0);
  const left = Math.max(0, until - Date.now());
  useEffect(() => {
    if (left === 0) {
      onEnd?.();
      return;
    }
    const timer = setTimeout(() => setTick((tick) => tick + 1), nextTick(left));
    return () => clearTimeout(timer);
  });
  return left;
}

const WIDTH = 136;

function Bar({ share, isBad }: { share: number; isBad: boolean }) {
  const width = Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
  return (
    <svg
      class={isBad ? 'progress is-bad' : 'progress'}
      viewBox={`0 0 ${WIDTH} 4`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect width={WIDTH} height="4" rx="2" />
      <rect class="on" width={width} height="4" rx="2" />
    </svg>
  );
}
