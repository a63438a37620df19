import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useBackToClose } from '../lib/router/location.ts';

interface DialogProps {
  title: string;
  description?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
  /** Called for Escape and, until its form is filled in, for a click outside the dialog, unless `isSticky`. */
  onClose: () => void;
  /** Whether only its own buttons close the dialog. */
  isSticky?: boolean;
  /** Whether it asks before something is lost. */
  isDestructive?: boolean;
  /** With `isSticky`: called for Escape, for the back gesture of a phone, and for Back in any browser. */
  onEscape?: () => void;
  foot?: ComponentChildren;
}

/** A modal dialog, open while it is mounted. The page behind it is inert, and closing it restores the focus. */
export function Dialog(props: DialogProps) {
  const { title, description, children, actions, foot, onClose, isSticky = false, isDestructive, onEscape } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useBackToClose(onEscape ?? onClose, { isEverywhere: onEscape !== undefined });
  const isFilledIn = useRef(false);
  useModal(dialog);
  const cancel = (event: Event) => {
    event.preventDefault();
    if (!isSticky) onClose();
    else onEscape?.();
  };
  /** Reopens the dialog, since browsers do not let a page prevent closing twice in a row. */
  const stay = () => {
    if (!isSticky || !dialog.current) return;
    dialog.current.showModal();
    onEscape?.();
  };
  return (
    <dialog
      class="dialog"
      role={isDestructive ? 'alertdialog' : undefined}
      ref={dialog}
      aria-labelledby={id}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={cancel}
      onClose={stay}
      onInput={({ target }) => {
        isFilledIn.current ||= target instanceof Element && target.closest('form') !== null;
      }}
      onClick={(event) => {
        // A tap beside a form must not discard what was entered.
        if (event.target === dialog.current && !isSticky && !isFilledIn.current) onClose();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape' || !isSticky) return;
        event.preventDefault();
        onEscape?.();
      }}
    >
      <div class="dialog-in">
        <header>
          <h2 id={id}>{title}</h2>
          {description && <p id={`${id}-description`}>{description}</p>}
        </header>
        {children && <div class="body">{children}</div>}
        {actions && (
          <footer>
            {foot}
            <span class="end">{actions}</span>
          </footer>
        )}
      </div>
    </dialog>
  );
}

/** Shows a dialog over the inert page while the component is mounted, and then returns the focus. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const element = dialog.current;
    // By now, an earlier menu or dialog has restored the focus, or the focus was lost after this dialog was requested.
    const openers = [document.activeElement, opener];
    element?.showModal();
    return () => {
      // While the dialog is open, nothing behind it can take the focus.
      element?.close();
      openers.find(canHaveFocus)?.focus();
    };
  }, []);
}

function canHaveFocus(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body;
}
