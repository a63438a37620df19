import { type IssuedPersonalToken, LIMITS, type PersonalToken } from '@hub/contract';
import { shellWord } from '@hub/contract/shell-word';
import { CircleCheck, Clock, ClockAlert, Plus } from 'icons';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { ApiError, allPages, errorMessage, request } from '../../../data/request.ts';
import { expiryOf, type Lifetime, lifetimeProblem } from '../../../lib/keys/key-lifetime.ts';
import { dayAndYear } from '../../../lib/time/dates.ts';
import { now } from '../../../lib/time/now.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, FormDialog, TextField } from '../../../ui/forms/form.tsx';
import { OnceDialog } from '../../../ui/forms/once-dialog.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { RowButton } from '../../../ui/forms/table.tsx';
import { Command } from '../../../ui/items/commands.tsx';
import { When } from '../../../ui/items/when.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { toast } from '../../../ui/toast.tsx';
import { LifetimeField } from '../issue-key/lifetime-field.tsx';
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
      about="A token lets hubctl or another program act as you. It can’t change your password, or manage your sessions and other tokens."
      action={<Button variant="is-main" icon={<Plus />} label="New token" onClick={() => setOpen({ dialog: 'new' })} />}
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
  const state = tokenState(token, now.value);
  const { expiresAt } = token;
  if (state.state === 'expired') {
    return (
      <span class="state is-over">
        <Clock /> Expired {expiresAt !== null && <When at={expiresAt} />}
      </span>
    );
  }
  if (state.state === 'soon') {
    return (
      <span class="state is-soon">
        <ClockAlert /> {state.days === 1 ? 'Expires within a day' : `Expires in ${state.days} days`}
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

/** Asks for the name and expiry of a new token. */
function NewTokenDialog({ onClose, onMade }: { onClose: () => void; onMade: (token: IssuedPersonalToken) => void }) {
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>({ days: 90 });
  const [dateProblem, setDateProblem] = useState('');
  const create = async () => {
    const problem = lifetimeProblem(lifetime, null, Date.now());
    setDateProblem(problem);
    if (name.trim() === '') throw new Error('Enter a name.');
    if (problem !== '') return;
    onMade(await request('POST /me/tokens', { body: { name: name.trim(), ...expiryOf(lifetime) } }));
  };
  return (
    <FormDialog
      title="New access token"
      description="You’ll see it only once. It works until it expires, you revoke it or your account is disabled."
      submitLabel="Create token"
      onSubmit={create}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label="Name"
            help="Where you use it. Create one per machine to revoke each separately."
            autofocus
            maxLength={LIMITS.keyNameCodePoints}
            placeholder="hubctl on my laptop"
            value={name}
            error={error}
            onValue={setName}
          />
          <LifetimeField lifetime={lifetime} maxDays={null} problem={dateProblem} onChange={setLifetime} />
        </>
      )}
    </FormDialog>
  );
}

interface TokenOnceDialogProps {
  /** Holds the token, which exists only in the document, and only while the dialog is open. */
  issued: IssuedPersonalToken;
  onClose: () => void;
}

/** Shows a new token once, with the command to log in to hubctl. */
function TokenOnceDialog({ issued: { name, token, expiresAt }, onClose }: TokenOnceDialogProps) {
  const end = expiresAt === null ? ' until you revoke it.' : ` until ${dayAndYear(expiresAt)}.`;
  return (
    <OnceDialog
      noun="token"
      secret={token}
      text={{
        title: `Copy the token “${name}”`,
        description: `This is the only time it’s shown. It acts as you${end}`,
        care: 'Anyone who has it can do what you can. Keep it out of repositories and chats. If you lose it, revoke it and create a new one.',
        loss: 'If you haven’t saved it, revoke it and create a new one.',
      }}
      onClose={onClose}
    >
      <ol class="commands token-use">
        <Command
          does="Log in with it: run this, paste the token and press Enter (it isn’t shown or saved in the history)"
          line={`hubctl login ${shellWord(location.origin)} --token-stdin`}
        />
      </ol>
    </OnceDialog>
  );
}

interface RevokeTokenDialogProps {
  token: PersonalToken;
  onClose: () => void;
  onRevoked: () => void;
}

/** Confirms a revocation. Nothing has to be typed to confirm, since a new token is quick to create. */
function RevokeTokenDialog({ token: { id, name }, onClose, onRevoked }: RevokeTokenDialogProps) {
  const revoke = async () => {
    try {
      await request('DELETE /me/tokens/{tokenId}', { tokenId: id });
    } catch (error) {
      // A 404 is a success: the token is already revoked, for example in another tab.
      if (!(error instanceof ApiError && error.statusCode === 404))
        throw new Error(`Couldn’t revoke the token. ${errorMessage(error)}`);
    }
    onRevoked();
    toast(`${name} revoked.`);
  };
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      description="The token stops working immediately, and programs using it get 401. This can’t be undone."
      submitLabel="Revoke token"
      isDestructive
      onAct={revoke}
      onClose={onClose}
    />
  );
}
