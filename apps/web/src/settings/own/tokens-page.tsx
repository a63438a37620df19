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

/** One's personal access tokens: what may act as oneself. */
export function TokensPage() {
  const { list, load } = useOwnList<PersonalToken>('/me/tokens');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <div class="settings-in is-tokens">
      <PageHead
        title="Access tokens"
        about="A token lets hubctl, or a program of yours, act as you: it may do what you may, but not change your password or make further tokens."
      >
        <button class="btn is-main" type="button" onClick={() => setOpen({ dialog: 'new' })}>
          <Plus size="s" /> Make a token
        </button>
      </PageHead>
      {list.status === 'loading' && <Loading />}
      {list.status === 'failed' && <ErrorNotice text={list.text} onAgain={load} />}
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
      <h2>No token yet</h2>
      <p>
        <code>hubctl login</code> makes one by itself. Make one here for a machine on which you do not want to type your
        password.
      </p>
    </div>
  );
}
