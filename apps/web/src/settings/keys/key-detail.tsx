import type { ApiKey, AuditEntry, KeyAddresses } from '@hub/contract';
import { useRef } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { When } from '../../item-text/when.tsx';
import { LOCALE } from '../../time/format.ts';
import { now } from '../../time/now.ts';
import type { StartAction } from './actions.ts';
import { isBeyondMaxLifetime } from './key-health.ts';
import { isIdle, isOver, isReplacementOf } from './key-state.ts';
import { dayAndClock, daysText, usedText } from './key-times.ts';
import { PastRemovals } from './past-removals.tsx';
import { scopeList } from './scope-icons.tsx';
import { Sparkline } from './sparkline.tsx';
import { AS_CELL, AS_ROW } from './table-roles.ts';
import { useAddresses } from './use-addresses.ts';
import { useInView } from './use-in-view.ts';

export interface TableActions {
  startAction: StartAction;
  isAdmin: boolean;
  /** The key whose details are open. */
  openId: string | null;
  open: (id: string | null) => void;
  /** How many times details were opened, including repeated clicks on ones that are already open. */
  openCount: number;
  /** Returns the key with this id, if it is loaded. */
  find: (id: string | null) => ApiKey | undefined;
  onEnd: () => void;
  /** The maximum lifetime in the workspace, in days; `null` for no limit. */
  maxDays: number | null;
}

/** The details of a key, below its row. */
export function KeyDetail({ apiKey, actions }: { apiKey: ApiKey; actions: TableActions }) {
  const [addresses = null] = useAddresses(apiKey.id) ?? [];
  const row = useRef<HTMLTableRowElement>(null);
  useInView(row, actions.openCount);
  return (
    <tr {...AS_ROW} class="key-detail-row" ref={row}>
      <td {...AS_CELL} colSpan={6} aria-colspan={6}>
        <div class="key-detail-in">
          <Facts apiKey={apiKey} actions={actions} />
          <AddressList addresses={addresses} />
          {actions.isAdmin && <History apiKey={apiKey} />}
          {actions.isAdmin && <PastRemovals apiKey={apiKey} />}
          {!isOver(apiKey, Date.now()) && <Actions apiKey={apiKey} actions={actions} />}
        </div>
      </td>
    </tr>
  );
}

function Facts({ apiKey, actions: { open, find, maxDays } }: { apiKey: ApiKey; actions: TableActions }) {
  const { createdAt, createdBy, isIssuerGone, expiresAt, predecessorId, successorId } = apiKey;
  const successor = find(successorId);
  const wasReplaced = successor !== undefined && isReplacementOf(successor, apiKey);
  return (
    <dl class="facts">
      <dt>Issued</dt>
      <dd>
        <When at={createdAt} /> by {createdBy.name}
        {isIssuerGone && ', whose account is disabled'}
      </dd>
      <dt>Expires</dt>
      <dd>
        {expiresAt === null ? 'Never' : dayAndClock(expiresAt, now.value)}
        {maxDays !== null && isBeyondMaxLifetime(apiKey, now.value, maxDays) && (
          <span class="is-over-limit">Keys can last at most {daysText(maxDays)}. Rotate it to fix this.</span>
        )}
      </dd>
      <dt>Permissions</dt>
      <dd>{scopeList(apiKey.scopes)}</dd>
      <dt>Usage</dt>
      <dd>
        {apiKey.requestCount.toLocaleString(LOCALE)} {apiKey.requestCount === 1 ? 'request' : 'requests'},{' '}
        {apiKey.postCount.toLocaleString(LOCALE)} {apiKey.postCount === 1 ? 'post' : 'posts'}
      </dd>
      {/* Usage is not loaded yet for a key that was just issued. */}
      {apiKey.usage && (
        <>
          <dt>Last 30 days</dt>
          <dd>
            <Sparkline days={apiKey.usage} />
          </dd>
        </>
      )}
      <dt>ID</dt>
      <dd class="mono">{apiKey.id}</dd>
      <RelatedKey
        label={isReplacementOf(apiKey, find(predecessorId)) ? 'Replaces' : 'Rotated from'}
        id={predecessorId}
        open={open}
      />
      <RelatedKey label={wasReplaced ? 'Replaced by' : 'Rotated to'} id={successorId} open={open} />
    </dl>
  );
}

function RelatedKey({ label, id, open }: { label: string; id: string | null; open: (id: string) => void }) {
  if (id === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <button class="link mono" type="button" onClick={() => open(id)}>
          {id}
        </button>
      </dd>
    </>
  );
}

function AddressList({ addresses }: { addresses: KeyAddresses['items'] | null }) {
  if (addresses === null || addresses.length === 0) return null;
  return (
    <section aria-label="Used from">
      <h3>Used from</h3>
      <ul>
        {addresses.map(({ address, lastUsedAt, requests }) => (
          <li key={address}>
            <span class="mono">{address}</span>
            <span class="sub">
              {usedText(lastUsedAt, now.value)}, {requests.toLocaleString(LOCALE)}{' '}
              {requests === 1 ? 'request' : 'requests'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ACTIONS: Readonly<Record<string, string>> = {
  'key.issued': 'Issued',
  'key.rotated': 'Rotated',
  'key.replaced': 'Replaced',
  'key.revoked': 'Revoked',
  'key.blocked': 'Blocked',
  'posts.removed': 'Posts removed',
  'posts.restored': 'Posts restored',
};

function actionOf({ action, details }: AuditEntry): string {
  if (action === 'key.revoked' && details.successorId !== undefined) return 'Revoked early';
  return ACTIONS[action] ?? action;
}

function History({ apiKey: { id, hubId } }: { apiKey: ApiKey }) {
  const query = { hubId, targetId: id, limit: 20 };
  const load = (signal: AbortSignal) => request('GET /audit', { query, signal });
  // The other details are useful without the history.
  const entries = useResource(load, { key: id, topics: ['keys'] }).value?.items ?? [];
  if (entries.length === 0) return null;
  return (
    <section aria-label="History">
      <h3>History</h3>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <span>
              {actionOf(entry)} by {entry.actor.name}
            </span>
            <span class="sub">
              <When at={entry.at} />
              {entry.address !== null && `, ${entry.address}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Actions({ apiKey, actions: { startAction, find, isAdmin } }: { apiKey: ApiKey; actions: TableActions }) {
  const before = find(apiKey.predecessorId);
  const revoke = (
    <button class="btn" type="button" onClick={() => startAction({ kind: 'revoke', key: apiKey, how: 'revoke' })}>
      Revoke
    </button>
  );
  if (isIdle(apiKey, Date.now())) return <div class="key-actions">{revoke}</div>;
  if (apiKey.successorId !== null) {
    return (
      <div class="key-actions">
        <button
          class="btn"
          type="button"
          onClick={() => startAction({ kind: 'revoke', key: apiKey, how: 'revoke-old' })}
        >
          Revoke now
        </button>
      </div>
    );
  }
  return (
    <div class="key-actions">
      <button class="btn" type="button" onClick={() => startAction({ kind: 'rotate', key: apiKey })}>
        Rotate
      </button>
      <button class="btn" type="button" onClick={() => startAction({ kind: 'revoke', key: apiKey, how: 'replace' })}>
        Replace leaked key
      </button>
      {revoke}
      {isAdmin && isReplacementOf(apiKey, before) && before && before.postCount > 0 && (
        <button class="btn" type="button" onClick={() => startAction({ kind: 'remove', key: before, outcome: null })}>
          Remove the old key’s posts
        </button>
      )}
    </div>
  );
}
