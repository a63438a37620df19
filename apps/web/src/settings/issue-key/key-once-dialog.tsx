import Info from 'icon:info';
import type { IssuedKey } from '@hub/contract';
import { dayAndTime, dayAndYear } from '../../time/format.ts';
import { CopyOnceDialog } from '../copy-once/copy-once-dialog.tsx';
import { isNearEnd } from '../keys/key-times.ts';
import { scopeText } from './key-scopes.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { TestPost } from './test-post.tsx';

interface KeyOnceDialogProps {
  title: string;
  /** Holds the key, which exists only in the document, and only while the dialog is open. */
  issued: IssuedKey;
  hubName: string;
  /** After a rotation or replacement: what happened to the old key, and what to do now. */
  next?: string;
  onClose: () => void;
}

/** Shows a new key once, with snippets for posting with it. */
export function KeyOnceDialog({ title, issued, hubName, next, onClose }: KeyOnceDialogProps) {
  return (
    <CopyOnceDialog
      noun="key"
      secret={issued.key}
      text={{
        title,
        lead: <Lead issued={issued} hubName={hubName} />,
        care: 'Store it in a secret manager, never in a repository or web page. If you lose it, rotate the key and copy the new one.',
        loss: 'If you haven’t copied it, revoke it and issue a new one.',
      }}
      foot={<TestPost issued={issued} hubName={hubName} />}
      onClose={onClose}
    >
      {next !== undefined && (
        <div class="banner">
          <Info size="s" />
          <span class="grow">{next}</span>
        </div>
      )}
      <SnippetTabs scopes={issued.scopes} />
    </CopyOnceDialog>
  );
}

function Lead({ issued: { scopes, expiresAt }, hubName }: Pick<KeyOnceDialogProps, 'issued' | 'hubName'>) {
  return (
    <>
      This is the only time it’s shown. It posts {scopeText(scopes)} to <b>{hubName}</b>
      {expiresAt === null
        ? ' and never expires.'
        : ` and works until ${isNearEnd(expiresAt, Date.now()) ? dayAndTime(expiresAt) : dayAndYear(lastMoment(expiresAt))}.`}
    </>
  );
}

/** Returns the last moment at which a key works: for a key that expires at midnight, that is on the day before. */
function lastMoment(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString();
}
