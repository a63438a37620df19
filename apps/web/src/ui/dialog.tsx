import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Under the title: what happens next. */
  lead?: ComponentChildren;
  children?: ComponentChildren;
  /** What one can do, the main thing last. */
  actions?: ComponentChildren;
  /** Called for Escape and a press beside the dialog, unless `isSticky`. */
  onClose: () => void;
  /** Nothing but its own buttons closes it. */
  isSticky?: boolean;
  /** With `isSticky`: what happens at Escape, and at the way back of a phone. */
  onEscape?: () => void;
  /** At the foot, before what one can do. */
  foot?: ComponentChildren;
}

/** A modal dialog: the page behind it is inert, and the focus comes back to where it was. It is there while it is drawn. */
export function Dialog(props: DialogProps) {
  const { title, lead, children, actions, foot, onClose, isSticky = false, onEscape } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [asked] = useState(() => document.activeElement);
  useEffect(() => {
    const element = dialog.current;
    // A menu or a dialog before this one has given the focus back by now; or it was lost since this one was asked for.
    const openers = [document.activeElement, asked];
    element?.showModal();
    return () => {
      // As long as it is open, nothing behind it takes the focus.
      element?.close();
      openers.find(canHaveFocus)?.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    if (!isSticky) onClose();
    else onEscape?.();
  };
  /** Browsers let no page refuse to close a dialog twice in a row. This one opens it again. */
  const stay = () => {
    if (!isSticky || !dialog.current) return;
    dialog.current.showModal();
    onEscape?.();
  };
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={id}
      onCancel={cancel}
      onClose={stay}
      onClick={(event) => {
        if (event.target === dialog.current && !isSticky) onClose();
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
          {lead && <p>{lead}</p>}
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

function canHaveFocus(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body;
}
