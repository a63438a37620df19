import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';

const SHOWN_MS = 6_000;

interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  /** A fault is told at once; the rest when the reader pauses. */
  isBad?: boolean;
}

const current = signal<(Toast & { number: number }) | null>(null);
let last = 0;

/** Shows some words for six seconds, in place of those before. The result takes them back, if they are not true any more. */
export function toast(text: string, options: Omit<Toast, 'text'> = {}): () => void {
  last += 1;
  const number = last;
  current.value = { text, ...options, number };
  return () => {
    if (current.peek()?.number === number) close();
  };
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

function ShownToast({ text, action, isBad = false }: Toast) {
  const [isHeld, setHeld] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = (event?: Event) => {
      // A press that brings the focus into it finds it where it was.
      const isOwn = event?.target instanceof Node && box.current?.contains(event.target);
      if (box.current && !isOwn) keepClear(box.current);
    };
    place();
    for (const event of MOVES) addEventListener(event, place);
    return () => {
      for (const event of MOVES) removeEventListener(event, place);
    };
  }, []);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const cameFrom = useRef<HTMLElement | null>(null);
  const act = () => {
    // It goes, and with it the button that has the focus.
    const { activeElement } = document;
    if (activeElement && box.current?.contains(activeElement)) cameFrom.current?.focus();
    close();
    action?.run();
  };
  useShortcuts(action ? [{ keys: 'z', does: action.label, run: act }] : []);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <div
      class={isBad ? 'toast is-bad' : 'toast'}
      ref={box}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusCapture={({ relatedTarget }) => {
        hold();
        if (relatedTarget instanceof HTMLElement && !box.current?.contains(relatedTarget))
          cameFrom.current = relatedTarget;
      }}
      onBlurCapture={release}
    >
      <span>{text}</span>
      {action && (
        <button type="button" onClick={act}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** After these, what is not to be covered may be elsewhere. */
const MOVES = ['input', 'focusin', 'resize'] as const;
/** Where one types, what is pressed at the foot of a page, and what was just changed or has just arrived. */
const IN_USE =
  '.composer, .msg:has([role="alert"]), .msg:not([data-row]), .feed-row:nth-last-child(2), .is-current, .is-current > .tools, .todo:focus-within, [data-row-id]:focus-within, .is-current .conversion, .names, .actions, .panel > .toolbar, .jump > button, .side-foot, :is(input, textarea, select, button):focus';
const GAP = 12;

/** At the foot of the window, but above whatever one types in or presses there. */
function keepClear(toast: HTMLElement): void {
  const taken = [...document.querySelectorAll(IN_USE)]
    .filter((element) => !element.closest('[inert], .toasts'))
    .map((element) => element.getBoundingClientRect());
  const { left, right, height } = toast.getBoundingClientRect();
  let bottom = innerHeight - GAP;
  const isCovered = (box: DOMRect) =>
    box.left < right && box.right > left && box.top < bottom + GAP && box.bottom > bottom - height - GAP;
  for (let box = taken.find(isCovered); box && box.top > height + 2 * GAP; box = taken.find(isCovered)) {
    bottom = box.top - GAP;
    taken.splice(taken.indexOf(box), 1);
  }
  toast.style.marginBottom = `${innerHeight - bottom}px`;
}

function close(): void {
  current.value = null;
}
