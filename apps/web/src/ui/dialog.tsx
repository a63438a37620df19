import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
}

/** A modal dialog: the page behind it is inert, and the focus comes back to where it was. It is there while it is drawn. */
export function Dialog({ title, lead, children, actions, onClose, isSticky = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    if (!isSticky) onClose();
  };
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={id}
      onCancel={cancel}
      onClick={(event) => {
        if (event.target === dialog.current && !isSticky) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isSticky) event.preventDefault();
        event.stopPropagation();
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
            <span class="end">{actions}</span>
          </footer>
        )}
      </div>
    </dialog>
  );
}
