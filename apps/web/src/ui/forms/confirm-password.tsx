import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Confirmation, onConfirm } from '../../data/request.ts';
import { lazy } from '../page/lazy.tsx';

/** Requests waiting for the password: all that have been rejected since the dialog opened. */
const waiting = signal<readonly ((isConfirmed: boolean) => void)[]>([]);

const wayToConfirm = signal<Confirmation>('password');

onConfirm(
  (way) =>
    new Promise((settle) => {
      wayToConfirm.value = way;
      waiting.value = [...waiting.peek(), settle];
    }),
);

function settleAll(isConfirmed: boolean): void {
  const settled = waiting.peek();
  waiting.value = [];
  for (const settle of settled) settle(isConfirmed);
}

const ConfirmPasswordDialog = lazy<{ way: Confirmation; onSettled: (isConfirmed: boolean) => void }>(
  async () => (await import('./password.tsx')).ConfirmPasswordDialog,
  { isPage: true, around: ({ onSettled }, instead) => <Frame onClose={() => onSettled(false)}>{instead}</Frame> },
);

/**
 * A plain dialog until the code of the real one has loaded, which is not part of the first load. The request often comes
 * from a dialog, which would cover an error outside of a dialog.
 */
function Frame({ onClose, children }: { onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => opener?.focus();
  }, []);
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-label="Confirm it’s you"
      onCancel={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-in">
        <div class="body">{children}</div>
      </div>
    </dialog>
  );
}

/** Asks for the password, or for a new sign-in with the provider, when the server requires it, then lets the rejected requests retry. */
export function ConfirmPassword() {
  return waiting.value.length === 0 ? null : <ConfirmPasswordDialog way={wayToConfirm.value} onSettled={settleAll} />;
}
