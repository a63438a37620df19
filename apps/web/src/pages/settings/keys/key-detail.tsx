import type { ApiKey, AuditEntry, KeyAddresses } from '@hub/contract';
import type { FindingKind } from '@hub/contract/key-findings';
import { endOf } from '@hub/contract/key-state';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useResource } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { dayAndClock, usedText } from '../../../lib/keys/key-times.ts';
import { now } from '../../../lib/time/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact } from '../../../ui/forms/table.tsx';
import { When } from '../../../ui/items/when.tsx';
import { Sparkline } from './key-cells.tsx';
import { fixesOf, type KeysView, keyCommands } from './key-commands.tsx';
import { KeyNotes } from './key-notes.tsx';
import { isOver, isReplacementOf, scopeText } from './key-state.ts';
import { PastRemovals } from './remove-posts-dialog.tsx';

/** Using a key emits no event, so the addresses are polled. */
const POLL_MS = 10_000;

interface KeyDetailProps {
  apiKey: ApiKey;
  findings: readonly FindingKind[];
  view: KeysView;
}

export function KeyDetail({ apiKey, findings, view }: KeyDetailProps) {
  const [addresses = []] = useAddresses(apiKey.id) ?? [];
  const box = useRef<HTMLDivElement>(null);
  useInView(box, view.openCount);
  const commands = keyCommands(apiKey, view).filter(({ action }) => action.kind !== 'remove' || action.key !== apiKey);
  return (
    <div class="key-detail-in" ref={box}>
      <Facts apiKey={apiKey} findings={findings} view={view} />
      {addresses.length > 0 && (
        <DetailList title="Used from">
          {addresses.map(({ address, lastUsedAt, requests }) => (
            <li key={address}>
              <span class="mono">{address}</span>
              <span class="sub">
                {usedText(lastUsedAt, now.value)}, {countText(requests, 'request')}
              </span>
            </li>
          ))}
        </DetailList>
      )}
      {view.isAdmin && <History apiKey={apiKey} />}
      {view.isAdmin && <PastRemovals apiKey={apiKey} />}
      {!isOver(apiKey, Date.now()) && (
        <ul class="key-actions">
          {[...fixesOf(apiKey, findings), ...commands].map(({ label, detail, action }) => (
            <li key={label}>
              <Button label={label} onClick={() => view.startAction(action)} />
              <span class="sub">{detail}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Facts({ apiKey, findings, view: { open, find, onChanged, maxDays } }: KeyDetailProps) {
  const { createdAt, createdBy, isIssuerGone, predecessorId, successorId } = apiKey;
  // That of a rotated key is at most 24 hours away, even if the key was issued without an expiry.
  const end = endOf(apiKey);
  const successor = find(successorId);
  const wasReplaced = successor !== undefined && isReplacementOf(successor, apiKey);
  return (
    <dl class="facts">
      <dt>Issued</dt>
      <dd>
        <span>
          <When at={createdAt} /> by {createdBy.name}
          {isIssuerGone && ', whose account is disabled'}
        </span>
      </dd>
      <dt>Expires</dt>
      <dd>
        {end === null ? 'Never' : dayAndClock(new Date(end).toISOString(), now.value)}
        {maxDays !== null && findings.includes('outlasts') && (
          <span class="is-over-limit">Keys can last at most {countText(maxDays, 'day')}. Rotate it to fix this.</span>
        )}
      </dd>
      <Fact name="Permissions" value={scopeText(apiKey.scopes)} />
      <Fact
        name="Usage"
        value={`${countText(apiKey.requestCount, 'request')}, ${countText(apiKey.postCount, 'post')}`}
      />
      {/* Usage is not loaded yet for a key that was just issued. */}
      {apiKey.usage && <Fact name="Last 30 days" value={<Sparkline days={apiKey.usage} />} />}
      <KeyNotes {...apiKey} onChanged={onChanged} />
      <Fact name="ID" variant="mono" value={apiKey.id} />
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
  const link = (
    <button class="link mono" type="button" onClick={() => open(id)}>
      {id}
    </button>
  );
  return <Fact name={label} value={link} />;
}

function DetailList({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

const AUDIT_ACTIONS: Readonly<Record<string, string>> = {
  'key.issued': 'Issued',
  'key.changed': 'Changed',
  'key.rotated': 'Rotated',
  'key.replaced': 'Replaced',
  'key.revoked': 'Revoked',
  'key.blocked': 'Blocked',
  'posts.removed': 'Posts removed',
  'posts.restored': 'Posts restored',
};

function actionText({ action, details }: AuditEntry): string {
  if (action === 'key.revoked' && details.successorId !== undefined) return 'Revoked early';
  return AUDIT_ACTIONS[action] ?? action;
}

function History({ apiKey: { id, hubId } }: { apiKey: ApiKey }) {
  const query = { hubId, targetId: id, limit: 20 };
  const load = (signal: AbortSignal) => request('GET /audit', { query, signal });
  // The other details are useful without the history.
  const entries = useResource(load, { key: id, topics: ['keys'] }).value?.items ?? [];
  if (entries.length === 0) return null;
  return (
    <DetailList title="History">
      {entries.map((entry) => (
        <li key={entry.id}>
          <span>
            {actionText(entry)} by {entry.actor.name}
          </span>
          <span class="sub">
            <When at={entry.at} />
            {entry.address !== null && `, ${entry.address}`}
          </span>
        </li>
      ))}
    </DetailList>
  );
}

/** Loads the addresses that used each of these keys; undefined until loaded, since the page is useful without them. */
export function useAddresses(...ids: readonly string[]): readonly KeyAddresses['items'][] | undefined {
  const load = async (signal: AbortSignal) => {
    const responses = ids.map((keyId) => request('GET /keys/{keyId}/addresses', { keyId, signal }));
    return (await Promise.all(responses)).map(({ items }) => items);
  };
  return useResource(load, { key: ids.join(' '), ...(ids.length > 0 && { pollMs: POLL_MS }) }).value;
}

/** After any of these, the user controls the scroll position. */
const USER_INPUT = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Scrolls the details of a key and the row above them into view each time they are opened. Content keeps growing while
 * it loads, so they are kept in view until the user does something else. Nothing moves if the details and the row are
 * already in view.
 */
function useInView(details: RefObject<HTMLElement | null>, openCount: number): void {
  useEffect(() => {
    const element = details.current?.closest('tr');
    if (!element) return;
    const show = () => {
      element.scrollIntoView({ block: 'nearest' });
      // If the two do not fit together, the row takes precedence.
      element.previousElementSibling?.scrollIntoView({ block: 'nearest' });
    };
    const sizes = new ResizeObserver(show);
    const stop = () => sizes.disconnect();
    show();
    sizes.observe(element);
    const page = element.closest('.keys-page');
    if (page) sizes.observe(page);
    for (const type of USER_INPUT) addEventListener(type, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const type of USER_INPUT) removeEventListener(type, stop);
    };
  }, [openCount]);
}
