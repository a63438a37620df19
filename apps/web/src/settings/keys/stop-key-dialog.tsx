import type { ApiKey, IssuedKey } from '@hub/contract';
import { useId, useRef, useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import type { OlderOutcome, StopKind } from './actions.ts';
import { KeyErrorMessage } from './error-text.tsx';
import { HoldButton } from './hold-button.tsx';
import { endKeys, useOlderKeys } from './older-keys.ts';
import { OlderKeysOffer } from './older-keys-offer.tsx';
import { successorBody } from './successor-body.ts';
import { changeSince, type KeyError, NO_ERROR, rejectionReason } from './why-refused.ts';

interface StopKeyDialogProps {
  apiKey: ApiKey;
  how: StopKind;
  onClose: () => void;
  /** It is refused from now on. */
  onStopped: (key: ApiKey, older: OlderOutcome) => void;
  /** The same, with what came in its place. */
  onReplaced: (issued: IssuedKey, old: ApiKey, older: OlderOutcome) => void;
  /** Somebody was quicker: this is what it has become. */
  onFound: (key: ApiKey) => void;
}

interface RevokedAlreadyProps extends Pick<StopKeyDialogProps, 'how' | 'onClose'> {
  name: string;
  error: KeyError;
}

const WORDS: Record<StopKind, { title: string; lead: string; keep: string; now: string }> = {
  revoke: {
    title: 'Revoke',
    lead: 'It stops at once. The program that uses it gets 401 from its next request on, and this cannot be undone. What it has posted stays.',
    keep: 'Keep the key',
    now: 'Revoke now',
  },
  replace: {
    title: 'Replace',
    lead: 'For a key that leaked. You get a new key with the same name, Hub and scopes. The present one stops at once: its program gets 401 until it has the new one. This cannot be undone.',
    keep: 'Keep the key',
    now: 'Replace now',
  },
  end: {
    title: 'End the old key of',
    lead: 'It stops at once instead of after its 24 hours. Machines that still use it get 401 from their next request on, and this cannot be undone. Its successor goes on.',
    keep: 'Let it run out',
    now: 'End it now',
  },
};

const NONE_OLDER: OlderOutcome = { endedCount: 0, left: [] };

const HUBLESS =
  'Its Hub was deleted, so it is refused already. Once revoked, it stays so when the Hub is restored. This cannot be undone.';

/** Stops a key: held, or confirmed by its name. There is no way back. */
export function StopKeyDialog({ apiKey, how, onClose, onStopped, onReplaced, onFound }: StopKeyDialogProps) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState<KeyError>(NO_ERROR);
  const [isWithOlder, setWithOlder] = useState(true);
  const older = useOlderKeys(apiKey);
  const { name } = apiKey;
  const { title, keep, now } = WORDS[how];
  const lead = apiKey.isHubDeleted ? HUBLESS : WORDS[how].lead;
  const isTyped = typed.trim() === name;
  const isStopping = useRef(false);
  const look = async () => {
    const found = await changeSince(apiKey);
    if (found.key === null || isStopping.current) return;
    setError(found);
    onFound(found.key);
  };
  useWorkspaceChanges(['keys'], () => void look());
  /** Only those that were shown: of the rest it is said that they work. */
  const stopOlder = async (): Promise<OlderOutcome> => {
    const wanted = isWithOlder ? older.shown : [];
    const others = (await older.loaded.current).filter((key) => !wanted.includes(key));
    const left = await endKeys(wanted);
    return { endedCount: wanted.length - left.length, left: [...left, ...others] };
  };
  const stop = async () => {
    if (isBusy || failure.key !== null) return;
    setBusy(true);
    isStopping.current = true;
    setError(NO_ERROR);
    try {
      if (how === 'replace') {
        const issued = await replace(apiKey);
        onReplaced(issued, await asItIs(apiKey), await stopOlder());
      } else {
        const stopped = await request<ApiKey>('POST', path`/keys/${apiKey.id}/revocation`);
        onStopped(stopped, how === 'end' ? NONE_OLDER : await stopOlder());
      }
    } catch (error) {
      const found = await rejectionReason(error, apiKey);
      setError(found);
      if (found.key) onFound(found.key);
      setBusy(false);
      isStopping.current = false;
    }
  };
  if (failure.key !== null && failure.key.revokedAt !== null) {
    return <RevokedAlready name={name} how={how} error={failure} onClose={onClose} />;
  }
  return (
    <Dialog
      title={`${title} ${name}?`}
      lead={lead}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            {keep}
          </button>
          <button
            class="btn is-bad"
            type="button"
            disabled={!isTyped || isBusy || failure.key !== null}
            onClick={() => void stop()}
          >
            {now}
          </button>
        </>
      }
    >
      {how !== 'end' && <OlderKeysOffer older={older.shown} isChosen={isWithOlder} onChoose={setWithOlder} />}
      <HoldButton isDisabled={isBusy || failure.key !== null} onHeld={() => void stop()}>
        Hold to {now.charAt(0).toLowerCase() + now.slice(1).replace(/ now$/, '')}
      </HoldButton>
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) void stop();
        }}
      >
        <label for={field}>Or type the key’s name to confirm</label>
        <input
          id={field}
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          placeholder={name}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </form>
      <KeyErrorMessage error={failure} onClose={onClose} />
    </Dialog>
  );
}

/** Somebody was quicker: there is nothing left to do, or to be kept. */
function RevokedAlready({ name, how, error: failure, onClose }: RevokedAlreadyProps) {
  const { successor } = failure;
  const next = how === 'replace' && successor === null ? ' For its program, issue a new key.' : '';
  return (
    <Dialog
      title={`${name} is revoked already`}
      lead={`Somebody has revoked this key meanwhile. It is refused from now on.${next}`}
      onClose={onClose}
      actions={
        <button class="btn is-main" type="button" autofocus onClick={onClose}>
          Close
        </button>
      }
    >
      {successor && <KeyErrorMessage error={failure} onClose={onClose} />}
    </Dialog>
  );
}

async function replace(apiKey: ApiKey): Promise<IssuedKey> {
  return request<IssuedKey>('POST', path`/keys/${apiKey.id}/replacement`, { body: await successorBody(apiKey) });
}

/** It may have posted since it was last looked at, which decides whether there is something to remove. */
function asItIs(apiKey: ApiKey): Promise<ApiKey> {
  return request<ApiKey>('GET', path`/keys/${apiKey.id}`).catch(() => apiKey);
}
