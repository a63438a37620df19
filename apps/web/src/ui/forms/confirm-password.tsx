import { signal } from '@preact/signals';
import { onConfirmPassword } from '../../data/request.ts';
import { Dialog } from '../dialog.tsx';
import { lazy } from '../page/lazy.tsx';

/** Requests waiting for the password: all that have been rejected since the dialog opened. */
const waiting = signal<readonly ((isConfirmed: boolean) => void)[]>([]);

onConfirmPassword(
  () =>
    new Promise((settle) => {
      waiting.value = [...waiting.peek(), settle];
    }),
);

function settleAll(isConfirmed: boolean): void {
  const settled = waiting.peek();
  waiting.value = [];
  for (const settle of settled) settle(isConfirmed);
}

const ConfirmPasswordDialog = lazy<{ onSettled: (isConfirmed: boolean) => void }>(
  async () => (await import('./confirm-password-dialog.tsx')).ConfirmPasswordDialog,
  {
    isPage: true,
    // The request often comes from a dialog, which would cover an error outside of a dialog.
    around: ({ onSettled }, instead) => (
      <Dialog title="Confirm it’s you" onClose={() => onSettled(false)}>
        {instead}
      </Dialog>
    ),
  },
);

/** Asks for the password when the server requires it, then lets the rejected requests retry. */
export function ConfirmPassword() {
  return waiting.value.length === 0 ? null : <ConfirmPasswordDialog onSettled={settleAll} />;
}
