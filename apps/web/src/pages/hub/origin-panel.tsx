import type { ApiKey, Item, ItemOrigin, KeyState } from '@hub/contract';
import { currentState, endOf } from '@hub/contract/key-state';
import { Ban, Copy, Eraser, ShieldAlert, Trash2 } from 'icons';
import { useRef, useState } from 'preact/hooks';
import { type ItemResource, useItem } from '../../data/live/use-item.ts';
import { useResource, useWorkspace, useWorkspaceSettings } from '../../data/live/workspace.ts';
import { ApiError, request } from '../../data/request.ts';
import { LOCALE, now, shortTime } from '../../lib/time/format.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Fact } from '../../ui/forms/table.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { ErrorNotice } from '../../ui/page/load-states.tsx';
import { Panel } from '../../ui/panels/panel.tsx';
import { FeedSkeleton } from '../feed/feed-edges.tsx';
import { KEY_STATES } from '../settings/keys/key-cells.tsx';
import type { KeyAction, RevokeKind } from '../settings/keys/key-commands.tsx';
import { KeyNotes } from '../settings/keys/key-notes.tsx';
import { isOver } from '../settings/keys/key-state.ts';

const KeyNotifications = lazy(
  async () => (await import('../settings/notifications/notification-settings.tsx')).KeyNotifications,
  { isRare: true },
);

const WRITTEN_BY_MEMBER = 'A member wrote this, so there is no API key or request.';
const NO_POST = 'This post no longer exists. It was deleted, or removed along with other posts from its key.';

/** The key and the request that created a post. */
export function OriginPanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const result = useItem(id);
  const { state, value: origin = null, reload } = useOrigin(id);
  const item = useLastSeen(id, result);
  const isRemoved = result.status === 'missing' || (item !== null && item.deletedAt !== null);
  const { key, show } = useKey(item?.key?.id ?? null);
  const hubName = hubs.find(item?.hubId ?? '')?.name ?? '';
  const error = result.status === 'failed' ? result : state.status === 'failed' ? { ...state, retry: reload } : null;
  const content = () => {
    if (item ? item.key === null : isRemoved) {
      return (
        <div class="empty">
          <p>{item ? WRITTEN_BY_MEMBER : NO_POST}</p>
        </div>
      );
    }
    if (error) return <ErrorNotice text={error.text} onRetry={error.retry} />;
    if (!item?.key || origin === null) return <FeedSkeleton what="the key" />;
    return (
      <div class="detail">
        {isRemoved && (
          <p class="banner" role="status">
            <Trash2 />
            <span class="grow">This post was removed. Its key is still shown.</span>
          </p>
        )}
        <dl class="facts">
          <KeyFacts name={item.key.name} id={item.key.id} origin={origin} apiKey={key} onChanged={show} />
          <OriginFacts createdAt={item.createdAt} origin={origin} />
        </dl>
        {/* A key that works no longer posts nothing to be notified about. */}
        {!(key && isOver(key, now.value)) && <KeyNotifications keyId={item.key.id} name={item.key.name} />}
        <a class="btn is-bare is-small" href={`/stream?key=${item.key.id}`}>
          All posts of this key
        </a>
      </div>
    );
  };
  const isShown = error === null && origin !== null;
  return (
    <Panel
      title="Key"
      hubName={hubName}
      foot={isShown && key && item && <RevokeKey key={key.id} apiKey={key} post={item} onChanged={show} />}
    >
      {content()}
    </Panel>
  );
}

/** Returns the item, or its last state once it is deleted, so that the open panel keeps its content. */
function useLastSeen(id: string, result: ItemResource): Item | null {
  const last = useRef<Item | null>(null);
  if (result.status === 'ready') last.current = result.item;
  return last.current?.id === id ? last.current : null;
}

/** Loads the request that created an item; the value is `null` for an item that a user wrote. */
function useOrigin(id: string) {
  const load = async (signal: AbortSignal): Promise<ItemOrigin | null> => {
    try {
      return await request('GET /items/{itemId}/origin', { itemId: id, signal });
    } catch (error) {
      if (error instanceof ApiError && error.statusCode === 404) return null;
      throw error;
    }
  };
  return useResource(load, { key: id });
}

const EXACT = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

function OriginFacts({ createdAt, origin: { address, requestId } }: { createdAt: string; origin: ItemOrigin }) {
  return (
    <>
      <Fact name="Posted" value={<time dateTime={createdAt}>{EXACT.format(new Date(createdAt))}</time>} />
      <Fact name="From" variant="mono" value={address} />
      <dt>Request</dt>
      <dd>
        <span class="mono origin-id grow">{requestId}</span>
        <IconButton
          icon={<Copy />}
          label="Copy request ID"
          onClick={() => void copyText(requestId, 'Request ID copied.')}
        />
      </dd>
    </>
  );
}

const KeyActions = lazy(async () => (await import('../settings/keys/key-actions.tsx')).KeyActions, { isRare: true });

/** Keys are polled: no event announces that a key was used or expired. */
const POLL_MS = 20_000;

/** Keeps a key up to date while it is shown; `null` until loaded, and for members who may see only its name. */
function useKey(id: string | null): { key: ApiKey | null; show: (key: ApiKey) => void } {
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
function KeyFacts(props: {
  name: string;
  id: string;
  origin: ItemOrigin;
  apiKey: ApiKey | null;
  onChanged: (key: ApiKey) => void;
}) {
  const { name, id, origin, apiKey, onChanged } = props;
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
      {apiKey.successorId !== null && (
        <a class="btn is-bare is-small" href={`/settings/keys?hub=${apiKey.hubId}&key=${apiKey.successorId}`}>
          Show the new key
        </a>
      )}
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

/** Buttons to revoke or replace a misbehaving key, and later to remove its posts, each with a confirmation. */
function RevokeKey(props: { apiKey: ApiKey; post: Item; onChanged: (key: ApiKey) => void }) {
  const { apiKey, post, onChanged } = props;
  const { me } = useWorkspace();
  const [action, setAction] = useState<KeyAction | null>(null);
  const revoke = (how: RevokeKind) => () => setAction({ kind: 'revoke', key: apiKey, how });
  const isOld = apiKey.successorId !== null;
  const isAdmin = me.value.role !== 'member';
  return (
    <>
      {isOver(apiKey, now.value) ? (
        isAdmin && (
          <div class="toolbar">
            <Button
              icon={<Eraser />}
              label="Remove posts"
              onClick={() => setAction({ kind: 'remove', key: apiKey, outcome: null })}
            />
          </div>
        )
      ) : (
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
          isAdmin={isAdmin}
          post={post}
        />
      )}
    </>
  );
}
