import CircleCheck from 'icon:circle-check';
import Clock from 'icon:clock';
import ClockAlert from 'icon:clock-alert';
import Plus from 'icon:plus';
import type { IssuedPersonalToken, PersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { allPages } from '../../../data/request.ts';
import { now } from '../../../lib/time/now.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { RowButton } from '../../../ui/forms/table.tsx';
import { When } from '../../../ui/items/when.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { NewTokenDialog, RevokeTokenDialog, TokenOnceDialog } from './token-dialogs.tsx';
import { tokenState } from './token-state.ts';

type Open =
  | { dialog: 'new' }
  | { dialog: 'once'; token: IssuedPersonalToken }
  | { dialog: 'revoke'; token: PersonalToken };

/** The personal access tokens of the user. */
export function TokensPage() {
  const { state, reload } = useResource((signal) => allPages('GET /me/tokens', { signal }), { topics: [] });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <PageBody
      title="Access tokens"
      about="A token lets hubctl or another program act as you. It can’t change your password or create tokens."
      look="is-tokens"
      action={
        <button class="btn is-main" type="button" onClick={() => setOpen({ dialog: 'new' })}>
          <Plus size="s" /> New token
        </button>
      }
    >
      <Loaded state={state} onRetry={reload}>
        {(tokens) =>
          tokens.length === 0 ? (
            <EmptyState
              title="No tokens yet"
              text={
                <>
                  <code>hubctl login</code> creates one for you. Create one here for a machine where you don’t want to
                  enter your password.
                </>
              }
            />
          ) : (
            <ul class="tokens">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setOpen({ dialog: 'revoke', token })} />
              ))}
            </ul>
          )
        }
      </Loaded>
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
    </PageBody>
  );
}

/** One token: name, expiry and last use. */
function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const { id, name, hint, createdAt, lastUsedAt, lastUsedAddress } = token;
  return (
    <li class={tokenState(token, now.value).state === 'expired' ? 'is-quiet' : ''}>
      <Avatar id={id} name={name} kind="key" size="m" />
      <span class="token-name">
        <b>{name}</b>
        <span class="hint-key">{hint}</span>
      </span>
      <span class="life">
        <State token={token} />
        <span class="sub">
          Created <When at={createdAt} />
        </span>
      </span>
      <span class="use">
        {lastUsedAt === null ? (
          'Never used'
        ) : (
          <span>
            Used <When at={lastUsedAt} />
          </span>
        )}
        {lastUsedAddress !== null && <span class="sub">from {lastUsedAddress}</span>}
      </span>
      <RowButton label={`Revoke ${name}, ${hint}`} onClick={onRevoke}>
        Revoke
      </RowButton>
    </li>
  );
}

function State({ token }: { token: PersonalToken }) {
  const found = tokenState(token, now.value);
  const { expiresAt } = token;
  if (found.state === 'expired') {
    return (
      <span class="state is-over">
        <Clock /> Expired {expiresAt !== null && <When at={expiresAt} />}
      </span>
    );
  }
  if (found.state === 'soon') {
    return (
      <span class="state is-soon">
        <ClockAlert /> {found.days === 1 ? 'Expires within a day' : `Expires in ${found.days} days`}
      </span>
    );
  }
  return (
    <span class="state is-active">
      <CircleCheck /> {expiresAt === null ? 'Never expires' : 'Until '}
      {expiresAt !== null && <When at={expiresAt} />}
    </span>
  );
}
