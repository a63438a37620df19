import type { ApiKey, IssuedKey } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { TriangleAlert } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useWorkspaceChanges } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { successorExpiry } from '../../../lib/keys/key-times.ts';
import { hasScreenKeyboard } from '../../../lib/widths.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/forms/choices.tsx';
import { CloseDialog, FormDialog, TextField, useText } from '../../../ui/forms/form.tsx';
import { KeyErrorMessage, useKeyChange } from './key-change.tsx';
import { type OlderOutcome, type RevokeKind, stillWorks } from './key-commands.tsx';
import { isIdle } from './key-state.ts';

interface RevokeDialogProps {
  apiKey: ApiKey;
  how: RevokeKind;
  onClose: () => void;
  onRevoked: (key: ApiKey, older: OlderOutcome) => void;
  onReplaced: (issued: IssuedKey, old: ApiKey, older: OlderOutcome) => void;
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

/** Revokes or replaces a key, confirmed by holding a button, or by typing its name. This cannot be undone. */
export function RevokeDialog({ apiKey, how, onClose, onRevoked, onReplaced, onFound }: RevokeDialogProps) {
  const nameText = useText();
  const [isTyped, setTyped] = useState(false);
  const { isDisabled, error, run, check } = useKeyChange(apiKey, onFound);
  const older = useOlderKeys(apiKey, how !== 'revoke-old');
  useWorkspaceChanges(['keys'], () => void check());
  const { name } = apiKey;
  const { verb, lead } = TEXTS[how];
  const revoke = () =>
    run(async () => {
      if (how === 'replace') {
        const issued = await replace(apiKey);
        onReplaced(issued, await reloaded(apiKey), await older.revoke());
      } else {
        const revoked = await request('POST /keys/{keyId}/revocation', { keyId: apiKey.id });
        onRevoked(revoked, await older.revoke());
      }
    });
  if (error.key !== null && error.key.revokedAt !== null) {
    const next = how === 'replace' && error.successor === null ? ' Issue a new key for its program.' : '';
    return (
      <CloseDialog
        key="revoked"
        title={`${name} is already revoked`}
        description={`This key was revoked by someone else.${next}`}
        onClose={onClose}
      >
        {error.successor && <KeyErrorMessage error={error} onClose={onClose} />}
      </CloseDialog>
    );
  }
  return (
    <FormDialog
      title={`${verb} ${how === 'revoke-old' ? 'the old key of ' : ''}${name}?`}
      description={apiKey.isHubDeleted ? HUBLESS : lead}
      submitLabel={isTyped ? `${verb} now` : null}
      isDestructive
      isDisabled={nameText.value.trim() !== name || isDisabled}
      onSubmit={revoke}
      onClose={onClose}
    >
      {older.offer}
      <HoldButton isDisabled={isDisabled} onHeld={() => void revoke()}>
        Hold to {verb.toLowerCase()}
      </HoldButton>
      {isTyped ? (
        <TextField
          label="Type its name"
          autocapitalize="off"
          autofocus
          spellcheck={false}
          placeholder={name}
          {...nameText}
        />
      ) : (
        <Button variant="is-bare is-small" label="Can’t hold?" onClick={() => setTyped(true)} />
      )}
      <KeyErrorMessage error={error} onClose={onClose} />
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

/** Long enough to rule out accidents, short enough for an emergency. */
const HOLD_MS = 900;

/**
 * A button that acts after being held for a moment by touch, mouse, Space or Enter. Releasing it or moving off it
 * cancels. The help appears once the button is pressed. Users who cannot hold a button need an alternative beside it.
 */
function HoldButton(props: { children: ComponentChildren; isDisabled: boolean; onHeld: () => void }) {
  const { children, isDisabled, onHeld } = props;
  const help = useId();
  const [state, setState] = useState<'untouched' | 'held' | 'released'>('untouched');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setState('released');
  };
  const hold = () => {
    if (isDisabled || timer.current !== undefined) return;
    setState('held');
    timer.current = setTimeout(() => {
      release();
      ignoreUntilReleased();
      onHeld();
    }, HOLD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="hold">
      <button
        class={state === 'held' ? 'btn is-bad is-wide hold-btn is-held' : 'btn is-bad is-wide hold-btn'}
        type="button"
        disabled={isDisabled}
        aria-describedby={help}
        onPointerDown={({ button }) => button === 0 && hold()}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== ' ' && event.key !== 'Enter') return;
          event.preventDefault();
          if (!event.repeat) hold();
        }}
        onKeyUp={release}
        onBlur={release}
      >
        <span>{children}</span>
      </button>
      {/* Screen readers read it from the start. */}
      <p class={state === 'untouched' ? 'help is-invisible' : 'help'} id={help}>
        Hold for a second.{!hasScreenKeyboard() && ' Space and Enter work too.'}
      </p>
    </div>
  );
}

const RELEASES = ['pointerup', 'pointercancel', 'keyup'];
/** Events that a finger, mouse button or key that is still pressed sends to the element now below it. */
const PRESSES = ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'keypress', ...RELEASES];

/**
 * Swallows input until the current press is released: holding longer than needed must not trigger anything else. A held
 * key would otherwise press the newly focused element repeatedly.
 */
function ignoreUntilReleased(): void {
  const listeners = new AbortController();
  const stop = () => listeners.abort();
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    // The click that belongs to this release fires right after it.
    if (RELEASES.includes(event.type)) setTimeout(stop);
  };
  for (const type of PRESSES) addEventListener(type, swallow, { capture: true, signal: listeners.signal });
  // A release in another window sends no event to this one.
  addEventListener('blur', stop, { signal: listeners.signal });
}
