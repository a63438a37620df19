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
  /** The key is in here, in the document while this is drawn, and nowhere else. */
  issued: IssuedKey;
  hubName: string;
  /** Where it takes the place of another one: what has become of that, and what is to be done now. */
  next?: string;
  onClose: () => void;
}

/** A new key, this once, with how programs post with it. */
export function KeyOnceDialog({ title, issued, hubName, next, onClose }: KeyOnceDialogProps) {
  return (
    <CopyOnceDialog
      noun="key"
      secret={issued.key}
      text={{
        title,
        lead: <Lead issued={issued} hubName={hubName} />,
        care: 'Keep it in a secret store, never in a repository or a web page. Lost it? Rotate the key and copy the new one.',
        loss: 'Until it is revoked it works, for whoever has it: nobody, if you have not copied it.',
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
      This is the only time it is shown. It posts {scopeText(scopes)} into <b>{hubName}</b>
      {expiresAt === null
        ? ' and never expires.'
        : `, until ${isNearEnd(expiresAt, Date.now()) ? dayAndTime(expiresAt) : dayAndYear(lastMoment(expiresAt))}.`}
    </>
  );
}

/** What ends at midnight works on the day before. */
function lastMoment(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString();
}
