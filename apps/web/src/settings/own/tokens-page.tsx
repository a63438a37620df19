import Plus from 'icon:plus';
import type { IssuedPersonalToken, PersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { PageHead } from '../page-head.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';
import { TokenOnceDialog } from './token-once-dialog.tsx';
import { TokenRow } from './token-row.tsx';
import { useOwnList } from './use-own-list.ts';

type Open =
  | { dialog: 'new' }
  | { dialog: 'once'; token: IssuedPersonalToken }
  | { dialog: 'revoke'; token: PersonalToken };

/** The personal access tokens of the user. */
export function TokensPage() {
  const { list, load } = useOwnList<PersonalToken>('/me/tokens');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <div class="settings-in is-tokens">
      <PageHead
        title="Access tokens"
        about="A token lets hubctl or another program act as you. It can’t change your password or create tokens."
      >
        <button class="btn is-main" type="button" onClick={() => setOpen({ dialog: 'new' })}>
          <Plus size="s" /> New token
        </button>
      </PageHead>
      {list.status === 'loading' && <Loading />}
      {list.status === 'failed' && <ErrorNotice text={list.text} onRetry={load} />}
      {list.status === 'ready' && list.items.length === 0 && <NoTokens />}
      {list.status === 'ready' && list.items.length > 0 && (
        <ul class="tokens">
          {list.items.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setOpen({ dialog: 'revoke', token })} />
          ))}
        </ul>
      )}
      {open?.dialog === 'new' && (
        <NewTokenDialog
          onClose={close}
          onMade={(token) => {
            setOpen({ dialog: 'once', token });
            void load();
          }}
        />
      )}
      {open?.dialog === 'once' && <TokenOnceDialog issued={open.token} onClose={close} />}
      {open?.dialog === 'revoke' && (
        <RevokeTokenDialog token={open.token} onClose={close} onRevoked={() => void load()} />
      )}
    </div>
  );
}

function NoTokens() {
  return (
    <div class="empty">
      <h2>No tokens yet</h2>
      <p>
        <code>hubctl login</code> creates one for you. Create one here for a machine where you don’t want to enter your
        password.
      </p>
    </div>
  );
}
