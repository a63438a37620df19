import type { Factor } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { KeyRound, Plus, Smartphone } from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { createPasskey, hasPasskeys } from '../../../lib/passkeys.ts';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/forms/confirm.tsx';
import { FormDialog, TextField, useText } from '../../../ui/forms/form.tsx';
import { OnceDialog } from '../../../ui/forms/once-dialog.tsx';
import { Loaded, Section } from '../../../ui/forms/page-body.tsx';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { NameDialog } from '../../new-hub/new-hub-dialog.tsx';

type Open =
  | { dialog: 'app' | 'passkey' }
  | { dialog: 'rename'; factor: Factor }
  | { dialog: 'once'; codes: readonly string[] };

/** The second factors of the user, and their recovery codes. */
export function FactorsSection() {
  const { me } = useWorkspace();
  const { state, reload } = useResource((signal) => request('GET /me/factors', { signal }), { topics: [] });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const onAdded = (codes: readonly string[] | null) => {
    setOpen(codes && { dialog: 'once', codes });
    toast('Second factor added.');
    void changed();
  };
  /** The workspace may no longer ask for one, or ask again. */
  const changed = async () => {
    await reload();
    me.value = await request('GET /me');
  };
  const { ask, dialog } = useConfirm();
  const remove = ({ id, name }: Factor) =>
    ask({
      title: `Remove ${name}?`,
      description:
        'Signing in no longer accepts it. With the last second factor, the recovery codes end, and your password alone signs in.',
      submitLabel: 'Remove',
      isDestructive: true,
      onAct: async () => {
        await request('DELETE /me/factors/{factorId}', { factorId: id });
        await changed();
      },
    });
  const createCodes = () =>
    ask({
      title: 'Create new recovery codes?',
      description: 'Those you have end. You’ll see the new ones only once.',
      submitLabel: 'Create codes',
      givesSecret: true,
      onAct: async () => {
        const { recoveryCodes } = await request('POST /me/recovery-codes');
        ask(null);
        setOpen({ dialog: 'once', codes: recoveryCodes });
        void reload();
      },
      // The dialog with the codes has replaced this one.
      onDone: () => {},
    });
  const { dueAt, isOverdue = false } = me.value.secondFactor ?? {};
  return (
    <Section id="own-factors" title="Second factor">
      <p>
        {dueAt === undefined
          ? 'After your password, signing in asks for a code or a passkey.'
          : `Your workspace asks for one. ${isOverdue ? 'Without it, you can’t use Hub.' : 'Without it, you can’t use Hub after '}`}
        {dueAt !== undefined && !isOverdue && <When at={dueAt} />}
        {dueAt !== undefined && !isOverdue && '.'}
      </p>
      <Loaded state={state} onRetry={reload}>
        {({ items, recoveryCodesLeft }) => (
          <>
            {items.length > 0 && (
              <ul class="factors">
                {items.map((factor) => (
                  <FactorRow
                    key={factor.id}
                    factor={factor}
                    onRename={() => setOpen({ dialog: 'rename', factor })}
                    onRemove={() => remove(factor)}
                  />
                ))}
              </ul>
            )}
            <div class="actions">
              {hasPasskeys() && (
                <Button icon={<Plus />} label="Add a passkey" onClick={() => setOpen({ dialog: 'passkey' })} />
              )}
              <Button icon={<Plus />} label="Add an authenticator app" onClick={() => setOpen({ dialog: 'app' })} />
            </div>
            {items.length > 0 && (
              <p class="help">
                {countText(recoveryCodesLeft, 'recovery code')} left.{' '}
                <Button variant="is-bare is-small" label="Create new recovery codes" onClick={createCodes} />
              </p>
            )}
          </>
        )}
      </Loaded>
      {open?.dialog === 'app' && <AppDialog onAdded={onAdded} onClose={close} />}
      {open?.dialog === 'passkey' && <PasskeyDialog onAdded={onAdded} onClose={close} />}
      {open?.dialog === 'rename' && (
        <NameDialog
          title={`Rename ${open.factor.name}`}
          description=""
          submitLabel="Rename"
          maxLength={LIMITS.keyNameCodePoints}
          saved={open.factor.name}
          onSave={async (name) => {
            await request('PATCH /me/factors/{factorId}', { factorId: open.factor.id, body: { name } });
            await reload();
            close();
          }}
          onClose={close}
        />
      )}
      {dialog}
      {open?.dialog === 'once' && <CodesDialog codes={open.codes} onClose={close} />}
    </Section>
  );
}

function FactorRow(props: { factor: Factor; onRename: () => void; onRemove: () => void }) {
  const { factor, onRename, onRemove } = props;
  const { name, kind, createdAt, lastUsedAt } = factor;
  return (
    <li>
      {kind === 'passkey' ? <KeyRound /> : <Smartphone />}
      <span class="grow">
        <bdi>{name}</bdi>
        <span class="sub">
          {kind === 'passkey' ? 'Passkey' : 'Authenticator app'},{' '}
          {lastUsedAt === null ? 'not used yet, added ' : 'last used '}
          <When at={lastUsedAt ?? createdAt} />
        </span>
      </span>
      <Button variant="is-bare is-small" onClick={onRename}>
        Rename<span class="sr"> {name}</span>
      </Button>
      <Button variant="is-bare is-small" onClick={onRemove}>
        Remove<span class="sr"> {name}</span>
      </Button>
    </li>
  );
}

interface AddDialogProps {
  onAdded: (recoveryCodes: readonly string[] | null) => void;
  onClose: () => void;
}

/** Shows the QR code of a new secret, and asks for the code that the app then shows. */
function AppDialog({ onAdded, onClose }: AddDialogProps) {
  const [app, setApp] = useState<{ secret: string; uri: string } | null>(null);
  const name = useText('Phone');
  const code = useText();
  const [failure, setFailure] = useState('');
  useEffect(() => void request('POST /me/factors/totp-secret').then(setApp, (error) => setFailure(error.message)), []);
  const add = async () => {
    if (failure !== '' || !app) throw new Error(failure || 'The QR code is still loading.');
    if (code.value.trim() === '') throw new Error('Enter the code that the app shows.');
    const body = { name: name.value.trim(), secret: app.secret, code: code.value.trim() };
    const { recoveryCodes } = await request('POST /me/factors', { body });
    onAdded(recoveryCodes);
  };
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Scan the code with an app such as Aegis, 1Password or Google Authenticator. Then enter the six digits that it shows."
      submitLabel="Add app"
      givesSecret
      onSubmit={add}
      onClose={onClose}
    >
      {(error) => (
        <>
          <div class="qr-row" aria-busy={app === null}>
            {app && <QrCode text={app.uri} />}
            <p class="help">
              {app && <a href={app.uri}>Open it in an app on this device</a>}, or type this secret:{' '}
              <code class="wraps">{app?.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
            </p>
          </div>
          <TextField label="Code" inputMode="numeric" autofocus error={failure === '' ? error : failure} {...code} />
          <TextField label="Name" help="To tell your factors apart." maxLength={LIMITS.keyNameCodePoints} {...name} />
        </>
      )}
    </FormDialog>
  );
}

/** Dark on light in both themes, since some apps read nothing else. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret"
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}

function PasskeyDialog({ onAdded, onClose }: AddDialogProps) {
  const add = async (name: string) => {
    const { options } = await request('POST /me/factors/passkey-options');
    const body = { name, credential: await createPasskey(options) };
    onAdded((await request('POST /me/factors', { body })).recoveryCodes);
  };
  return (
    <NameDialog
      title="Add a passkey"
      description="Your device or password manager keeps it, and signs you in without a password."
      submitLabel="Create passkey"
      givesSecret
      help="Where it is kept, such as your laptop."
      maxLength={LIMITS.keyNameCodePoints}
      placeholder="Laptop"
      onSave={add}
      onClose={onClose}
    />
  );
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <OnceDialog
      noun="codes"
      secret={codes.join('\n')}
      title="Your recovery codes"
      description="Each signs you in once, if you lose your second factor."
      care="Keep them where you keep passwords, not on the same device. You won’t see them again."
      loss="Without them and your second factor, only an admin can let you in again."
      onClose={onClose}
    />
  );
}
