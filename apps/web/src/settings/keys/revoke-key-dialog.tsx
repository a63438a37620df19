import type { ApiKey, IssuedKey } from '@hub/contract';
import { useId, useRef, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { successorExpiry } from '../issue-key/key-lifetime.ts';
import type { OlderOutcome, RevokeKind } from './actions.ts';
import { KeyErrorMessage } from './error-text.tsx';
import { HoldButton } from './hold-button.tsx';
import { changeSince, type KeyError, keyErrorOf, NO_ERROR } from './key-error.ts';
import { revokeKeys, useOlderKeys } from './older-keys.ts';
import { OlderKeysOffer } from './older-keys-offer.tsx';

interface RevokeKeyDialogProps {
  apiKey: ApiKey;
  how: RevokeKind;
  onClose: () => void;
  /** Called once the key no longer works. */
  onRevoked: (key: ApiKey, older: OlderOutcome) => void;
  /** Called once the key no longer works, with its replacement. */
  onReplaced: (issued: IssuedKey, old: ApiKey, older: OlderOutcome) => void;
  /** Called with the current key if someone else changed it first. */
  onFound: (key: ApiKey) => void;
}

interface RevokedAlreadyProps extends Pick<RevokeKeyDialogProps, 'how' | 'onClose'> {
  name: string;
  error: KeyError;
}

const TEXTS: Record<RevokeKind, { title: string; lead: string; now: string }> = {
  revoke: {
    title: 'Revoke',
    lead: 'The key stops working immediately, and programs using it get 401. This can’t be undone. Its posts stay.',

    now: 'Revoke now',
  },
  replace: {
    title: 'Replace',
    lead: 'Use this if a key leaked. You get a new key with the same name, Hub and permissions. The current key stops working immediately, and its program gets 401 until it has the new key. This can’t be undone.',

    now: 'Replace now',
  },
  'revoke-old': {
    title: 'Revoke the old key of',
    lead: 'The old key stops working immediately instead of after 24 hours, and machines that still use it get 401. The new key keeps working. This can’t be undone.',

    now: 'Revoke now',
  },
};

const NO_OLDER: OlderOutcome = { revokedCount: 0, left: [] };

const HUBLESS =
  'Its Hub was deleted, so the key doesn’t work now. Once revoked, it stays revoked when the Hub is restored. This can’t be undone.';

/** Revokes or replaces a key, confirmed by holding a button or typing its name. This cannot be undone. */
export function RevokeKeyDialog({ apiKey, how, onClose, onRevoked, onReplaced, onFound }: RevokeKeyDialogProps) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState<KeyError>(NO_ERROR);
  const [isWithOlder, setWithOlder] = useState(true);
  const older = useOlderKeys(apiKey);
  const { name } = apiKey;
  const { title, now } = TEXTS[how];
  const lead = apiKey.isHubDeleted ? HUBLESS : TEXTS[how].lead;
  const isTyped = typed.trim() === name;
  const isRevoking = useRef(false);
  const look = async () => {
    const found = await changeSince(apiKey);
    if (found.key === null || isRevoking.current) return;
    setError(found);
    onFound(found.key);
  };
  useWorkspaceChanges(['keys'], () => void look());
  /** Revokes only the keys that were shown; the outcome lists the others as still working. */
  const revokeOlder = async (): Promise<OlderOutcome> => {
    const wanted = isWithOlder ? older.shown : [];
    const others = (await older.loaded.current).filter((key) => !wanted.includes(key));
    const left = await revokeKeys(wanted);
    return { revokedCount: wanted.length - left.length, left: [...left, ...others] };
  };
  const revoke = async () => {
    if (isBusy || failure.key !== null) return;
    setBusy(true);
    isRevoking.current = true;
    setError(NO_ERROR);
    try {
      if (how === 'replace') {
        const issued = await replace(apiKey);
        onReplaced(issued, await reloaded(apiKey), await revokeOlder());
      } else {
        const revoked = await request('POST /keys/{keyId}/revocation', { keyId: apiKey.id });
        onRevoked(revoked, how === 'revoke-old' ? NO_OLDER : await revokeOlder());
      }
    } catch (error) {
      const found = await keyErrorOf(error, apiKey);
      setError(found);
      if (found.key) onFound(found.key);
      setBusy(false);
      isRevoking.current = false;
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
            Cancel
          </button>
          <button
            class="btn is-bad"
            type="button"
            disabled={!isTyped || isBusy || failure.key !== null}
            onClick={() => void revoke()}
          >
            {now}
          </button>
        </>
      }
    >
      {how !== 'revoke-old' && <OlderKeysOffer older={older.shown} isChosen={isWithOlder} onChoose={setWithOlder} />}
      <HoldButton isDisabled={isBusy || failure.key !== null} onHeld={() => void revoke()}>
        Hold to {now.charAt(0).toLowerCase() + now.slice(1).replace(/ now$/, '')}
      </HoldButton>
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) void revoke();
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

/** Shown if someone else revoked the key first: nothing is left to do. */
function RevokedAlready({ name, how, error: failure, onClose }: RevokedAlreadyProps) {
  const { successor } = failure;
  const next = how === 'replace' && successor === null ? ' Issue a new key for its program.' : '';
  return (
    <Dialog
      title={`${name} is already revoked`}
      lead={`This key was revoked by someone else.${next}`}
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

/**
 * Replaces the key by one with the same lifetime, or the maximum now allowed: replacing a leaked key must not wait for
 * the user to choose one.
 */
async function replace(apiKey: ApiKey): Promise<IssuedKey> {
  const { longestKeyLifetimeDays } = await request('GET /workspace');
  const body = successorExpiry(apiKey, longestKeyLifetimeDays);
  return request('POST /keys/{keyId}/replacement', { keyId: apiKey.id, body });
}

/** Reloads the key to find out whether there are posts to remove, since it may have posted in the meantime. */
function reloaded(apiKey: ApiKey): Promise<ApiKey> {
  return request('GET /keys/{keyId}', { keyId: apiKey.id }).catch(() => apiKey);
}
