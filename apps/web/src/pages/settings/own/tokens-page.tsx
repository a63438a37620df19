import { type IssuedPersonalToken, LIMITS, type PersonalToken } from '@hub/contract';
import { shellWord } from '@hub/contract/shell-word';
import { CircleCheck, Clock, ClockAlert, Plus } from 'icons';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/workspace.ts';
import { ApiError, allPages, errorMessage, request } from '../../../data/request.ts';
import { expiryOf, type Lifetime, lifetimeProblem } from '../../../lib/keys/key-times.ts';
import { dayAndYear } from '../../../lib/time/dates.ts';
import { now } from '../../../lib/time/format.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/forms/confirm.tsx';
import { FormDialog, TextField, useText } from '../../../ui/forms/form.tsx';
import { OnceDialog } from '../../../ui/forms/once-dialog.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Named, RowButton, SettingsList } from '../../../ui/forms/table.tsx';
import { Command } from '../../../ui/items/commands.tsx';
import { When } from '../../../ui/items/when.tsx';
import { EmptyState } from '../../../ui/page/load-states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { LifetimeField } from '../keys/lifetime-field.tsx';
import { tokenState } from '../settings-texts.ts';

type Open = { dialog: 'new' } | { dialog: 'once'; token: IssuedPersonalToken };

export function TokensPage() {
  const { state, reload } = useResource((signal) => allPages('GET /me/tokens', { signal }), { topics: [] });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { ask, dialog } = useConfirm();
  /** Nothing has to be typed to confirm, since a new token is quick to create. */
  const revoke = ({ id, name }: PersonalToken) =>
    ask({
      title: `Revoke ${name}?`,
      description: 'The token stops working immediately, and programs using it get 401. This can’t be undone.',
      submitLabel: 'Revoke token',
      isDestructive: true,
      onAct: async () => {
        try {
          await request('DELETE /me/tokens/{tokenId}', { tokenId: id });
        } catch (error) {
          // A 404 is a success: the token is already revoked, for example in another tab.
          if (!(error instanceof ApiError && error.statusCode === 404))
            throw new Error(`Couldn’t revoke the token. ${errorMessage(error)}`);
        }
        void reload();
        toast(`${name} revoked.`);
      },
    });
  const columns: readonly Column<PersonalToken>[] = [
    {
      title: 'Token',
      at: 'name',
      cell: ({ id, name, hint }) => (
        <Named
          image={<Avatar id={id} name={name} kind="key" size="m" />}
          name={name}
          sub={<span class="hint-key">{hint}</span>}
        />
      ),
    },
    {
      title: 'State',
      at: 'state',
      cell: (token) => (
        <>
          <State token={token} />
          <span class="sub">
            Created <When at={token.createdAt} />
          </span>
        </>
      ),
    },
    {
      title: 'Last used',
      at: 'used',
      cell: ({ lastUsedAt, lastUsedAddress }) => (
        <>
          {lastUsedAt !== null && <span class="narrow-label">Used </span>}
          {lastUsedAt === null ? 'Never used' : <When at={lastUsedAt} />}
          {lastUsedAddress !== null && <span class="sub">from {lastUsedAddress}</span>}
        </>
      ),
    },
    {
      title: 'Actions',
      at: 'actions',
      cell: (token) => (
        <RowButton label={`Revoke ${token.name}, ${token.hint}`} onClick={() => revoke(token)}>
          Revoke
        </RowButton>
      ),
    },
  ];
  return (
    <PageBody
      title="Access tokens"
      about="A token lets hubctl or another program act as you. It can’t change your password, or manage your sessions and other tokens."
      action={<Button variant="is-main" icon={<Plus />} label="New token" onClick={() => setOpen({ dialog: 'new' })} />}
    >
      <Loaded state={state} onRetry={reload}>
        {(tokens) => (
          <SettingsList
            title="Tokens"
            columns={columns}
            rows={tokens}
            attributes={(token) => ({ class: tokenState(token, now.value).state === 'expired' ? 'is-quiet' : '' })}
            empty={
              <EmptyState
                title="No tokens yet"
                text={
                  <>
                    <code>hubctl login</code> creates one for you, once you confirm it in your browser. Create one here
                    for a script.
                  </>
                }
              />
            }
          />
        )}
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
      {dialog}
    </PageBody>
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

function NewTokenDialog({ onClose, onMade }: { onClose: () => void; onMade: (token: IssuedPersonalToken) => void }) {
  const name = useText();
  const [lifetime, setLifetime] = useState<Lifetime>({ days: 90 });
  const [dateProblem, setDateProblem] = useState('');
  const create = async () => {
    const problem = lifetimeProblem(lifetime, null, Date.now());
    setDateProblem(problem);
    if (name.value.trim() === '') throw new Error('Enter a name.');
    if (problem !== '') return;
    onMade(await request('POST /me/tokens', { body: { name: name.value.trim(), ...expiryOf(lifetime) } }));
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
            error={error}
            {...name}
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

function TokenOnceDialog({ issued: { name, token, expiresAt }, onClose }: TokenOnceDialogProps) {
  const end = expiresAt === null ? ' until you revoke it.' : ` until ${dayAndYear(expiresAt)}.`;
  return (
    <OnceDialog
      noun="token"
      secret={token}
      title={`Copy the token “${name}”`}
      description={`This is the only time it’s shown. It acts as you${end}`}
      care="Anyone who has it can do what you can. Keep it out of repositories and chats. If you lose it, revoke it and create a new one."
      loss="If you haven’t saved it, revoke it and create a new one."
      onClose={onClose}
    >
      <ol class="commands token-use">
        <Command
          does="Log in with it: run this, paste the token and press Enter (it isn’t shown or saved in the history)"
          line={`hubctl login ${shellWord(location.origin)} --with-token`}
        />
      </ol>
    </OnceDialog>
  );
}
