import type { ApiKey, IssuedKey } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { TriangleAlert } from 'icons';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../../data/request.ts';
import { successorExpiry } from '../../../lib/keys/key-times.ts';
import { Checkbox } from '../../../ui/forms/choices.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { changeKey } from './key-change.tsx';
import { type OlderOutcome, type RevokeKind, stillWorks } from './key-commands.tsx';
import { isIdle } from './key-state.ts';

interface RevokeDialogProps {
  apiKey: ApiKey;
  how: RevokeKind;
  onClose: () => void;
  onRevoked: (key: ApiKey, older: OlderOutcome) => void;
  /** Called once the key no longer works, with its replacement. */
  onReplaced: (issued: IssuedKey, old: ApiKey, older: OlderOutcome) => void;
  /** Called with the current key if someone else changed it first. */
  onFound: (key: ApiKey) => void;
}

const TEXTS: Record<RevokeKind, { verb: string; lead: string }> = {
  revoke: {
    verb: 'Revoke',
    lead: 'Programs that use this key get 401 immediately. Its posts stay. This can’t be undone.',
  },
  replace: {
    verb: 'Replace',
    lead: 'Use this if a key leaked. You get a new key with the same name, Hub and permissions. The current key stops working immediately, and its program gets 401 until it has the new key. This can’t be undone.',
  },
  'revoke-old': {
    verb: 'Revoke',
    lead: 'The old key stops working immediately instead of after 24 hours, and machines that still use it get 401. The new key keeps working. This can’t be undone.',
  },
};

const HUBLESS =
  'Its Hub was deleted, so the key doesn’t work now. Once revoked, it stays revoked when the Hub is restored. This can’t be undone.';

/** Revokes or replaces a key. This cannot be undone. */
export function RevokeDialog({ apiKey, how, onClose, onRevoked, onReplaced, onFound }: RevokeDialogProps) {
  const older = useOlderKeys(apiKey, how !== 'revoke-old');
  const { verb, lead } = TEXTS[how];
  const revoke = () =>
    changeKey(apiKey, onFound, async () => {
      if (how === 'replace') {
        const issued = await replace(apiKey);
        onReplaced(issued, await reloaded(apiKey), await older.revoke());
      } else {
        const revoked = await request('POST /keys/{keyId}/revocation', { keyId: apiKey.id });
        onRevoked(revoked, await older.revoke());
      }
    });
  return (
    <FormDialog
      title={`${verb} ${how === 'revoke-old' ? 'the old key of ' : ''}${apiKey.name}?`}
      description={apiKey.isHubDeleted ? HUBLESS : lead}
      submitLabel={`${verb} key`}
      isDestructive
      onSubmit={revoke}
      onClose={onClose}
    >
      {older.offer}
    </FormDialog>
  );
}

/** Replaces the key by one with the same lifetime, or the maximum: a leak must not wait for a choice. */
async function replace(apiKey: ApiKey): Promise<IssuedKey> {
  const { longestKeyLifetimeDays } = await request('GET /workspace');
  const body = successorExpiry(apiKey, longestKeyLifetimeDays);
  return request('POST /keys/{keyId}/replacement', { keyId: apiKey.id, body });
}

/** Reloads the key to find out whether there are posts to remove, since it may have posted in the meantime. */
function reloaded(apiKey: ApiKey): Promise<ApiKey> {
  return request('GET /keys/{keyId}', { keyId: apiKey.id }).catch(() => apiKey);
}

/** Offers to revoke the previous keys that still work, too; none until they are loaded. */
function useOlderKeys(key: ApiKey, isOffered: boolean) {
  const [olderKeys, setOlderKeys] = useState<readonly ApiKey[]>([]);
  const [isChosen, choose] = useState(true);
  const loaded = useRef<Promise<readonly ApiKey[]>>(Promise.resolve([]));
  useEffect(() => {
    if (!isOffered) return;
    loaded.current = olderWorkingKeys(key).catch(() => []);
    void loaded.current.then(setOlderKeys);
  }, [key.id]);
  /** Revokes only the keys that were shown; the outcome lists the others as still working. */
  const revoke = async (): Promise<OlderOutcome> => {
    const selection = isChosen ? olderKeys : [];
    const left = (await loaded.current).filter((each) => !selection.includes(each));
    let revokedCount = 0;
    for (const each of selection) {
      try {
        await request('POST /keys/{keyId}/revocation', { keyId: each.id });
        revokedCount += 1;
      } catch {
        left.push(each);
      }
    }
    return { revokedCount, left };
  };
  const offer = olderKeys.length > 0 && (
    <div class="banner is-warn">
      <TriangleAlert />
      <div class="grow">
        {olderKeys.map((each) => (
          <p key={each.id}>{stillWorks(each, 'works')}</p>
        ))}
        <Checkbox isOn={isChosen} onChange={choose}>
          {olderKeys.length === 1 ? 'Revoke it too' : 'Revoke them too'}
        </Checkbox>
      </div>
    </div>
  );
  return { offer, revoke };
}

/** Allows for clock differences. At worst, it costs one extra request. */
const SLACK_MS = 3_600_000;

/** Returns the previous keys of this one that still work, newest first. */
async function olderWorkingKeys(key: ApiKey): Promise<ApiKey[]> {
  const older: ApiKey[] = [];
  let next = key;
  // A key's predecessor works for 24 hours after the key was issued, whatever happened to the keys in between.
  const canPredecessorWork = () =>
    Date.now() < Date.parse(next.createdAt) + ROTATION_OVERLAP_SECONDS * 1_000 + SLACK_MS;
  while (next.predecessorId !== null && canPredecessorWork()) {
    next = await request('GET /keys/{keyId}', { keyId: next.predecessorId });
    older.push(next);
  }
  return older.filter((each) => !isIdle(each, Date.now()));
}
