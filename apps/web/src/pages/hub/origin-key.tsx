import type { ApiKey, ItemOrigin, KeyState } from '@hub/contract';
import { currentState, endOf } from '@hub/contract/key-state';
import { Ban, ShieldAlert } from 'icons';
import { useState } from 'preact/hooks';
import { useResource, useWorkspaceSettings } from '../../data/live/use-resource.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { shortTime } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { useFocusAfter } from '../settings/issue-key/issue-key-overlay.tsx';
import { KEY_STATES } from '../settings/keys/key-cells.tsx';
import type { KeyAction, RevokeKind } from '../settings/keys/key-commands.tsx';
import { KeyNotes } from '../settings/keys/key-notes.tsx';

const KeyActions = lazy(async () => (await import('../settings/keys/key-actions.tsx')).KeyActions, { isRare: true });

/** Keys are polled: no event announces that a key was used or expired. */
const POLL_MS = 20_000;

/** Keeps a key up to date while it is shown; `null` until loaded, and for members who may see only its name. */
export function useKey(id: string | null): { key: ApiKey | null; show: (key: ApiKey) => void } {
  const { me } = useWorkspace();
  const settings = useWorkspaceSettings();
  const isManager = me.value.role !== 'member' || settings?.membersManageKeys === true;
  const keyId = isManager ? id : null;
  const { value, set } = useResource(
    async (signal) => (keyId === null ? null : request('GET /keys/{keyId}', { keyId, signal })),
    { key: `${keyId}`, topics: ['keys'], ...(keyId !== null && { pollMs: POLL_MS }) },
  );
  return { key: value ?? null, show: set };
}

/** The API key that a post was sent with. Members who cannot manage keys see only its name. */
export function KeyFacts({
  name,
  id,
  origin,
  apiKey,
  onChanged,
}: {
  name: string;
  id: string;
  origin: ItemOrigin;
  apiKey: ApiKey | null;
  onChanged: (key: ApiKey) => void;
}) {
  const { keyDescription: description, keyLink: link } = origin;
  return (
    <>
      <dt>Name</dt>
      <dd>
        <Avatar id={id} name={name} kind="key" size="s" />
        <b>{name}</b>
        {apiKey && <span class="hint-key">{apiKey.hint}</span>}
        {apiKey && (
          <a class="btn is-bare is-small" href={`/settings/keys?hub=${apiKey.hubId}&key=${apiKey.id}`}>
            All details
          </a>
        )}
      </dd>
      {apiKey ? <KeyNotes {...apiKey} onChanged={onChanged} /> : <KeyNotes {...{ id, name, description, link }} />}
      {apiKey && (
        <>
          <Fact
            name={apiKey.generation === 1 ? 'Issued' : 'Rotated'}
            value={`${shortTime(apiKey.createdAt, now.value)} by ${apiKey.createdBy.name}${apiKey.isIssuerGone ? ', whose account is disabled' : ''}`}
          />
          <Fact name="State" value={<StateLabel apiKey={apiKey} />} />
        </>
      )}
    </>
  );
}

function StateLabel({ apiKey }: { apiKey: ApiKey }) {
  const state = currentState(apiKey, now.value);
  const { text, variant, Icon } = KEY_STATES[state];
  const detail = stateDetail(apiKey, state, now.value);
  return (
    <>
      <span class={`state ${variant}`} role="status">
        <Icon /> {text}
      </span>
      {detail !== null && <span class="key-detail">{detail}</span>}
    </>
  );
}

function stateDetail(key: ApiKey, state: KeyState, nowMs: number): string | null {
  const end = endOf(key);
  const endTime = end === null ? null : shortTime(new Date(end).toISOString(), nowMs);
  if (state === 'revoked') return key.revokedAt && shortTime(key.revokedAt, nowMs);
  if (state === 'blocked') return key.blockedUntil && `until ${shortTime(key.blockedUntil, nowMs)}`;
  if (state === 'rotated') return endTime && `works until ${endTime}`;
  return state === 'expired' ? endTime : null;
}

/** Buttons to revoke or replace a misbehaving key, each with a confirmation. */
export function RevokeKey({ apiKey, onChanged }: { apiKey: ApiKey; onChanged: (key: ApiKey) => void }) {
  const { me } = useWorkspace();
  const [action, setAction] = useState<KeyAction | null>(null);
  // The buttons are gone once the key is revoked.
  useFocusAfter(action !== null, '.panel-title');
  const revoke = (how: RevokeKind) => () => setAction({ kind: 'revoke', key: apiKey, how });
  const isOld = apiKey.successorId !== null;
  const state = currentState(apiKey, now.value);
  return (
    <>
      {state !== 'revoked' && state !== 'expired' && (
        <div class="toolbar key-choices">
          <Button
            icon={<Ban />}
            label={isOld ? 'Revoke old key' : 'Revoke key'}
            aria-describedby="revoke-help"
            onClick={revoke(isOld ? 'revoke-old' : 'revoke')}
          />
          <span id="revoke-help">It stops immediately.</span>
          {!isOld && (
            <>
              <Button
                icon={<ShieldAlert />}
                label="Replace leaked key"
                aria-describedby="replace-help"
                onClick={revoke('replace')}
              />
              <span id="replace-help">You get a new key.</span>
            </>
          )}
        </div>
      )}
      {action && (
        <KeyActions
          action={action}
          onAction={setAction}
          onChanged={(key) => key && onChanged(key)}
          isAdmin={me.value.role !== 'member'}
        />
      )}
    </>
  );
}
