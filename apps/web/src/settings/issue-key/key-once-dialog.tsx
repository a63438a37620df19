import Shield from 'icon:shield';
import type { IssuedKey } from '@hub/contract';
import { useState } from 'preact/hooks';
import { dayAndYear } from '../../time/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { scopeWords } from './key-scopes.ts';
import { Secret } from './secret.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { TestPost } from './test-post.tsx';
import { useHeldPage } from './use-held-page.ts';

interface KeyOnceDialogProps {
  title: string;
  /** The key is in here, in the document while this is drawn, and nowhere else. */
  issued: IssuedKey;
  hubName: string;
  onClose: () => void;
}

/** A new key, this once. Until it was copied, or somebody says that it is stored, nothing closes it without a question. */
export function KeyOnceDialog({ title, issued, hubName, onClose }: KeyOnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isStored, setStored] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isSafe = isCopied || isStored;
  const tryToClose = () => (isSafe ? onClose() : setAsking(true));
  useHeldPage({ isHeld: !isSafe, onBack: tryToClose });
  return (
    <>
      <Dialog
        title={title}
        lead={<Lead issued={issued} hubName={hubName} />}
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
            I have stored the key
          </label>
        }
        actions={
          <button class={isSafe ? 'btn is-main' : 'btn'} type="button" disabled={!isSafe} onClick={onClose}>
            Done
          </button>
        }
      >
        <Secret text={issued.key} isMain={!isSafe} onCopied={() => setCopied(true)} />
        <SnippetTabs scopes={issued.scopes} />
        <div class="banner">
          <Shield size="s" />
          <span class="grow">
            Keep it in a secret store, never in a repository or a web page. Lost it? Rotate the key and copy the new
            one.
          </span>
        </div>
        <TestPost issued={issued} hubName={hubName} />
      </Dialog>
      {isAsking && <CloseWithout onBack={() => setAsking(false)} onClose={onClose} />}
    </>
  );
}

function Lead({ issued: { scopes, expiresAt }, hubName }: Pick<KeyOnceDialogProps, 'issued' | 'hubName'>) {
  return (
    <>
      This is the only time it is shown. It posts {scopeWords(scopes)} into <b>{hubName}</b>
      {expiresAt === null ? ' and never expires.' : `, until ${dayAndYear(lastMoment(expiresAt))}.`}
    </>
  );
}

/** What ends at midnight works on the day before. */
function lastMoment(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString();
}

function CloseWithout({ onBack, onClose }: { onBack: () => void; onClose: () => void }) {
  return (
    <Dialog
      title="Close without the key?"
      lead="It cannot be shown again. Until it is revoked it works, for whoever has it: nobody, if you have not copied it."
      onClose={onBack}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Close without the key
          </button>
          <button class="btn is-main" type="button" autofocus onClick={onBack}>
            Back to the key
          </button>
        </>
      }
    />
  );
}
