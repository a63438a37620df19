import type { IssuedPersonalToken } from '@hub/contract';
import { shellWord } from '../../frame/shell-word.ts';
import { Command } from '../../item-text/command.tsx';
import { dayAndYear } from '../../time/format.ts';
import { CopyOnceDialog } from '../copy-once/copy-once-dialog.tsx';

interface TokenOnceDialogProps {
  /** The token is in here, in the document while this is drawn, and nowhere else. */
  issued: IssuedPersonalToken;
  onClose: () => void;
}

/** A new token, this once, with how hubctl takes it. */
export function TokenOnceDialog({ issued: { name, token, expiresAt }, onClose }: TokenOnceDialogProps) {
  const end = expiresAt === null ? ' until you revoke it.' : `, until ${dayAndYear(expiresAt)}.`;
  return (
    <CopyOnceDialog
      noun="token"
      secret={token}
      text={{
        title: `Copy the token “${name}”`,
        lead: `This is the only time it is shown. It acts as you${end}`,
        care: 'Whoever has it can do what you can. Keep it out of repositories and chats. Lost it? Revoke it and make another one.',
        loss: 'If you have not copied it, nobody has it: revoke it then, and make another one.',
      }}
      onClose={onClose}
    >
      <ol class="commands token-use">
        <Command
          does="Log in with it: run this, paste the token and press Enter. It is neither shown nor kept in the history"
          line={`hubctl login ${shellWord(location.origin)} --token-stdin`}
        />
      </ol>
    </CopyOnceDialog>
  );
}
