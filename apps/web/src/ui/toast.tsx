import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorMessage, NoResponse } from '../data/request.ts';
import { useShortcuts } from '../lib/keyboard/shortcuts.ts';

const SHOWN_MS = 6_000;
/** For one with an action, which has to be reached. */
const OFFERED_MS = 10_000;

interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  /** Screen readers announce errors immediately, and other messages at the next pause. */
  isError?: boolean;
}

const current = signal<(Toast & { number: number }) | null>(null);
let last = 0;

/** Shows a message for some seconds, replacing the previous one. Returns a function that removes it early. */
export function toast(text: string, options: Omit<Toast, 'text'> = {}): () => void {
  last += 1;
  const number = last;
  current.value = { text, ...options, number };
  return () => {
    if (current.peek()?.number === number) close();
  };
}

/** Says that the server cannot be reached, also if it is code that could not be loaded. */
export function toastNoResponse(): void {
  toast(new NoResponse().message, { isError: true });
}

/** Runs an action, and shows its error after a text such as "Not saved.". Resolves to undefined if it failed. */
export async function orToast<T>(failure: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    toast(`${failure} ${errorMessage(error)}`, { isError: true });
    return undefined;
  }
}

/** The container for toasts. It is always mounted, so that screen readers announce its content. */
export function Toasts() {
  const toast = current.value;
  return (
    <div class="toasts" role="status" aria-live={toast?.isError ? 'assertive' : 'polite'}>
      {toast && <ShownToast key={toast.number} {...toast} />}
    </div>
  );
}

function ShownToast({ text, action, isError = false }: Toast) {
  const [isHeld, setHeld] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const position = (event?: Event) => {
      // The toast must not move away from a click that focuses it.
      const isOwn = event?.target instanceof Node && box.current?.contains(event.target);
      if (box.current && !isOwn) keepClear(box.current);
    };
    position();
    for (const event of MOVES) addEventListener(event, position);
    return () => {
      for (const event of MOVES) removeEventListener(event, position);
    };
  }, []);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(close, action ? OFFERED_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const previousFocus = useRef<HTMLElement | null>(null);
  const act = () => {
    // Closing the toast removes the focused button.
    const { activeElement } = document;
    if (activeElement && box.current?.contains(activeElement)) previousFocus.current?.focus();
    close();
    action?.run();
  };
  useShortcuts(action ? { z: act } : {});
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <div
      class={isError ? 'toast is-bad' : 'toast'}
      ref={box}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusCapture={({ relatedTarget }) => {
        hold();
        if (relatedTarget instanceof HTMLElement && !box.current?.contains(relatedTarget))
          previousFocus.current = relatedTarget;
      }}
      onBlurCapture={release}
    >
      <span>{text}</span>{' '}
      {action && (
        <button type="button" onClick={act}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** Events after which the elements that the toast must not cover may have moved. */
const MOVES = ['input', 'focusin', 'resize', 'transitionend'] as const;
/** Elements in use that a toast must not cover: fields, buttons at the foot, and messages just added. */
const IN_USE =
  '.composer, .msg:has([role="alert"]), .msg:not([data-row]), .feed-row:nth-last-child(2), .is-current :is(.tool-bar, .conversion), .actions, .selection-bar, .panel > .toolbar, .jump > button, .side-foot, :is(input, textarea, select, button):focus';
/** How much it leaves visible at the end of each: the toast must not stand in the middle of the page above a long message. */
const END = 96;
const GAP = 12;

/** Places the toast at the foot of the window, above elements in use. */
function keepClear(toast: HTMLElement): void {
  const boxes = [...document.querySelectorAll(IN_USE)]
    .filter((element) => !element.closest('[inert], .toasts'))
    .map((element) => {
      const { x, bottom, width, height } = element.getBoundingClientRect();
      const end = Math.min(height, END);
      return new DOMRect(x, bottom - end, width, end);
    });
  const { left, right, height } = toast.getBoundingClientRect();
  let bottom = innerHeight - GAP;
  const isCovered = (box: DOMRect) =>
    box.left < right && box.right > left && box.top < bottom + GAP && box.bottom > bottom - height - GAP;
  for (let box = boxes.find(isCovered); box && box.top > height + 2 * GAP; box = boxes.find(isCovered)) {
    bottom = box.top - GAP;
    boxes.splice(boxes.indexOf(box), 1);
  }
  toast.style.marginBottom = `${innerHeight - bottom}px`;
}

function close(): void {
  current.value = null;
}
