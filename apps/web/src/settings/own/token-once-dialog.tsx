import type { IssuedPersonalToken } from '@hub/contract';
import { shellWord } from '../../frame/shell-word.ts';
import { Command } from '../../item-text/command.tsx';
import { dayAndYear } from '../../time/format.ts';
import { CopyOnceDialog } from '../copy-once/copy-once-dialog.tsx';

interface TokenOnceDialogProps {
  /** Holds the token, which exists only in the document, and only while the dialog is open. */
  issued: IssuedPersonalToken;
  onClose: () => void;
}

/** Shows a new token once, with the command to log in to hubctl. */
export function TokenOnceDialog({ issued: { name, token, expiresAt }, onClose }: TokenOnceDialogProps) {
  const end = expiresAt === null ? ' until you revoke it.' : ` until ${dayAndYear(expiresAt)}.`;
  return (
    <CopyOnceDialog
      noun="token"
      secret={token}
      text={{
        title: `Copy the token “${name}”`,
        lead: `This is the only time it’s shown. It acts as you${end}`,
        care: 'Anyone who has it can do what you can. Keep it out of repositories and chats. If you lose it, revoke it and create a new one.',
        loss: 'If you haven’t copied it, revoke it and create a new one.',
      }}
      onClose={onClose}
    >
      <ol class="commands token-use">
        <Command
          does="Log in with it: run this, paste the token and press Enter (it isn’t shown or saved in the history)"
          line={`hubctl login ${shellWord(location.origin)} --token-stdin`}
        />
      </ol>
    </CopyOnceDialog>
  );
}
