import Plus from 'icon:plus';
import type { IssuedPersonalToken, PersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { allPages } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { PageHead } from '../page-head.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';
import { TokenOnceDialog } from './token-once-dialog.tsx';
import { TokenRow } from './token-row.tsx';

type Open =
  | { dialog: 'new' }
  | { dialog: 'once'; token: IssuedPersonalToken }
  | { dialog: 'revoke'; token: PersonalToken };

/** The personal access tokens of the user. */
export function TokensPage() {
  const load = (signal: AbortSignal) => allPages('GET /me/tokens', { signal });
  const { state, value: tokens = [], reload } = useResource(load, { topics: [] });
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
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reload} />}
      {state.status === 'ready' && tokens.length === 0 && <NoTokens />}
      {state.status === 'ready' && tokens.length > 0 && (
        <ul class="tokens">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setOpen({ dialog: 'revoke', token })} />
          ))}
        </ul>
      )}
      {open?.dialog === 'new' && (
        <NewTokenDialog
          onClose={close}
          onMade={(token) => {
            setOpen({ dialog: 'once', token });
            void reload();
          }}
        />
      )}
      {open?.dialog === 'once' && <TokenOnceDialog issued={open.token} onClose={close} />}
      {open?.dialog === 'revoke' && (
        <RevokeTokenDialog token={open.token} onClose={close} onRevoked={() => void reload()} />
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
