import Shield from 'icon:shield';
import type { IssuedPersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { shellWord } from '../../frame/shell-word.ts';
import { dayAndYear } from '../../time/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Secret } from '../issue-key/secret.tsx';
import { useHeldPage } from '../issue-key/use-held-page.ts';
import { TokenCommand } from './token-command.tsx';

interface TokenOnceDialogProps {
  /** The token is in here, in the document while this is drawn, and nowhere else. */
  issued: IssuedPersonalToken;
  onClose: () => void;
}

/** A new token, this once. Until it was copied, or somebody says that it is stored, nothing closes it without a question. */
export function TokenOnceDialog({ issued, onClose }: TokenOnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isStored, setStored] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isSafe = isCopied || isStored;
  const tryToClose = () => (isSafe ? onClose() : setAsking(true));
  useHeldPage({ isHeld: !isSafe, onBack: tryToClose });
  return (
    <>
      <Dialog
        title={`Copy the token “${issued.name}”`}
        lead={`This is the only time it is shown. It acts as you${
          issued.expiresAt === null ? ' until you revoke it.' : `, until ${dayAndYear(issued.expiresAt)}.`
        }`}
        isSticky
        onEscape={tryToClose}
        onClose={onClose}
        foot={
          <label class="optline">
            <input
              type="checkbox"
              checked={isStored}
              onChange={({ currentTarget }) => setStored(currentTarget.checked)}
            />
            I have stored the token
          </label>
        }
        actions={
          <button class={isSafe ? 'btn is-main' : 'btn'} type="button" disabled={!isSafe} onClick={onClose}>
            Done
          </button>
        }
      >
        <Secret text={issued.token} noun="token" isMain={!isSafe} onCopied={() => setCopied(true)} />
        <ol class="commands token-use">
          <TokenCommand
            does="Run this, paste the token and press Enter: it is neither shown nor kept in the history"
            line="read -rs HUB_TOKEN"
          />
          <TokenCommand
            does="Log in with it"
            line={`printf %s "$HUB_TOKEN" | hubctl login ${shellWord(location.origin)} --token-stdin`}
          />
        </ol>
        <div class="banner">
          <Shield size="s" />
          <span class="grow">
            Whoever has it can do what you can. Keep it out of repositories and chats. Lost it? Revoke it and make
            another one.
          </span>
        </div>
      </Dialog>
      {isAsking && <CloseWithout onBack={() => setAsking(false)} onClose={onClose} />}
    </>
  );
}

function CloseWithout({ onBack, onClose }: { onBack: () => void; onClose: () => void }) {
  return (
    <Dialog
      title="Close without the token?"
      lead="It cannot be shown again. If you have not copied it, nobody has it: revoke it then, and make another one."
      onClose={onBack}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Close without the token
          </button>
          <button class="btn is-main" type="button" autofocus onClick={onBack}>
            Back to the token
          </button>
        </>
      }
    />
  );
}
