import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 6_000;

interface Toast {
  words: string;
  action?: { label: string; run: () => void };
  /** A fault is told at once; the rest when the reader pauses. */
  isBad?: boolean;
}

const current = signal<(Toast & { number: number }) | null>(null);
let last = 0;

/** Shows some words for six seconds, in place of those before. */
export function toast(words: string, options: Omit<Toast, 'words'> = {}): void {
  last += 1;
  current.value = { words, ...options, number: last };
}

/** Where they appear. It is there once, always, so that what comes into it is announced. */
export function Toasts() {
  const shown = current.value;
  return (
    <div class="toasts" role="status" aria-live={shown?.isBad ? 'assertive' : 'polite'}>
      {shown && <ShownToast key={shown.number} {...shown} />}
    </div>
  );
}

function ShownToast({ words, action, isBad = false }: Toast) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <div
      class={isBad ? 'toast is-bad' : 'toast'}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusCapture={hold}
      onBlurCapture={release}
    >
      <span>{words}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}

function close(): void {
  current.value = null;
}
