import type { ApiKey, Item, Removal } from '@hub/contract';
import { useState } from 'preact/hooks';
import { type ResourceState, useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { errorMessage, request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { dayAndClock } from '../../../lib/keys/key-times.ts';
import { textWithTitle } from '../../../lib/posts/plain-text.ts';
import { localDay } from '../../../lib/time/dates.ts';
import { LOCALE, now } from '../../../lib/time/format.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog, Problem, SelectField, TextField } from '../../../ui/forms/form.tsx';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { nameOf, noLongerWorks, type OlderOutcome } from './key-commands.tsx';
import { isOver } from './key-state.ts';

const HOUR_MS = 3_600_000;
const UNDO_MS = 30 * 24 * HOUR_MS;
/** Posts to choose from, and characters of each; only one line is visible. */
const SHOWN = 50;
const SHOWN_CHARACTERS = 200;

interface RemovePostsDialogProps {
  apiKey: ApiKey;
  /** Set if the key was just revoked or replaced: what happened to its previous keys. */
  outcome: OlderOutcome | null;
  post?: Item | undefined;
  onClose: () => void;
}

type Since = 'post' | 'hour' | 'day' | 'all' | 'time';

/** Removes a key's posts since one of them or a chosen time, or some of these, with undo. */
export function RemovePostsDialog({ apiKey, outcome, post, onClose }: RemovePostsDialogProps) {
  const { hubs } = useWorkspace();
  const isReader = hubs.find(apiKey.hubId)?.isMember ?? false;
  const [since, setSince] = useState<Since>(post ? 'post' : 'hour');
  const [keptIds, setKept] = useState<ReadonlySet<string>>(new Set());
  const [time, setTime] = useState('');
  const [openedAt] = useState(Date.now());
  const from = since === 'post' ? post?.createdAt : startOf(since, time, openedAt);
  const { state } = useResource((signal) => previewRemoval(apiKey, from, { isReader, signal }), {
    key: `${apiKey.id} ${from} ${isReader}`,
  });
  const { count: all = 0, items = null } = state.status === 'ready' ? state.value : {};
  const choose = (next: Since) => {
    // The time begins with the start of the range shown before.
    if (next === 'time') setTime(localTime(from ?? apiKey.createdAt));
    setSince(next);
  };
  const exceptIds = (items ?? []).map(({ id }) => id).filter((id) => keptIds.has(id));
  const count = all - exceptIds.length;
  const remove = async () => {
    if (from === undefined) return;
    const body = { ...bodyOf(from), ...(exceptIds.length > 0 && { exceptIds }) };
    const removal = await request('POST /keys/{keyId}/removals', { keyId: apiKey.id, body });
    const run = () => void undoRemoval(removal);
    toast(`${countText(removal.count, 'post')} removed.`, { action: { label: 'Undo', run } });
    onClose();
  };
  const details = `/settings/keys?key=${apiKey.id}${isOver(apiKey, Date.now()) ? '&over=true' : ''}`;
  return (
    <FormDialog
      title={`Remove posts by ${nameOf('the', apiKey)}?`}
      description={
        <>
          {outcome !== null && `${noLongerWorks(apiKey, outcome)} `}Its posts stay unless you remove them. You can undo
          this for 30 days in{' '}
          <a href={details} onClick={onClose}>
            the key’s details
          </a>
          .
        </>
      }
      submitLabel={count === 0 ? 'Nothing to remove' : `Remove ${countText(count, 'post')}`}
      cancel={outcome === null ? 'Cancel' : 'Keep posts'}
      isDestructive
      isDisabled={count === 0}
      onSubmit={remove}
      onClose={onClose}
    >
      {(error) => (
        <>
          <SelectField<Since>
            label="Posts to remove"
            value={since}
            onValue={choose}
            options={[
              ...(post
                ? [
                    {
                      value: 'post' as const,
                      label: `From this post on${since === 'post' && all > 0 ? ` (${all})` : ''}`,
                    },
                  ]
                : []),
              { value: 'hour', label: 'Last hour' },
              { value: 'day', label: 'Last 24 hours' },
              { value: 'all', label: `All, since ${dayAndClock(apiKey.createdAt, now.value)}` },
              { value: 'time', label: 'Custom start time' },
            ]}
          />
          {since === 'time' && <TextField label="Start time" type="datetime-local" value={time} onValue={setTime} />}
          <div class="removal" role="status">
            {from === undefined ? (
              <p>Choose a time.</p>
            ) : (
              <Preview state={state} isReader={isReader} keptIds={keptIds} onKeep={setKept} />
            )}
          </div>
          <Problem text={error} />
          <PastRemovals apiKey={apiKey} />
        </>
      )}
    </FormDialog>
  );
}

/** Returns the start of the range; `null` for all posts, `undefined` while no time is chosen. */
function startOf(since: Since, time: string, openedAt: number): string | null | undefined {
  if (since === 'all') return null;
  if (since === 'hour') return new Date(openedAt - HOUR_MS).toISOString();
  if (since === 'day') return new Date(openedAt - 24 * HOUR_MS).toISOString();
  const instant = Date.parse(time);
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString();
}

/** Returns the value of a field for a date and time. */
function localTime(iso: string): string {
  const date = new Date(iso);
  return `${localDay(date.getTime())}T${date.toTimeString().slice(0, 5)}`;
}

const bodyOf = (from: string | null) => (from === null ? {} : { from });

/** The number of posts that would be removed, and the newest of them; `null` if the user is not a member of the Hub. */
interface RemovalPreview {
  count: number;
  items: readonly Item[] | null;
}

async function previewRemoval(
  { id, hubId }: ApiKey,
  from: string | null | undefined,
  { isReader, signal }: { isReader: boolean; signal: AbortSignal },
): Promise<RemovalPreview> {
  if (from === undefined) return { count: 0, items: [] };
  const body = { isPreview: true, ...bodyOf(from) };
  const [{ count }, page] = await Promise.all([
    request('POST /keys/{keyId}/removals', { keyId: id, body, signal }),
    isReader ? request('GET /stream', { query: { hubId, keyId: id, limit: SHOWN }, signal }) : null,
  ]);
  return { count, items: page?.items.filter((item) => from === null || item.createdAt >= from) ?? null };
}

interface PreviewProps {
  state: ResourceState<RemovalPreview>;
  isReader: boolean;
  keptIds: ReadonlySet<string>;
  onKeep: (ids: ReadonlySet<string>) => void;
}

function Preview({ state, isReader, keptIds, onKeep }: PreviewProps) {
  if (state.status === 'loading') return <p>Counting…</p>;
  if (state.status === 'failed') return <p>{state.text}</p>;
  const { count, items } = state.value;
  if (count === 0) return <p>No posts in that time.</p>;
  const hiddenCount = count - (items?.length ?? 0);
  const isEachKept = items?.every(({ id }) => keptIds.has(id));
  return (
    <>
      <p>
        <b>{countText(count, 'post')}</b>
        {!isReader && '. You’re not a member of this Hub, so they aren’t shown.'}
        {items && items.length > 1 && (
          <Button
            variant="is-bare is-small"
            label={isEachKept ? 'Tick all' : 'Untick all'}
            onClick={() => onKeep(new Set(isEachKept ? [] : items.map(({ id }) => id)))}
          />
        )}
      </p>
      {items && (
        <ul>
          {items.map((item) => (
            <li key={item.id}>
              <label class="removal-choice">
                <input
                  class="check"
                  type="checkbox"
                  checked={!keptIds.has(item.id)}
                  onChange={() => onKeep(keptIds.symmetricDifference(new Set([item.id])))}
                />
                <When at={item.createdAt} />{' '}
                <bdi class="grow cut">{textWithTitle(item).slice(0, SHOWN_CHARACTERS)}</bdi>
              </label>
            </li>
          ))}
          {hiddenCount > 0 && <li class="sub">and {hiddenCount.toLocaleString(LOCALE)} more</li>}
        </ul>
      )}
    </>
  );
}

/** Earlier removals of a key's posts, each with an undo button. The page is useful without them. */
export function PastRemovals({ apiKey: { id } }: { apiKey: ApiKey }) {
  const load = (signal: AbortSignal) => request('GET /keys/{keyId}/removals', { keyId: id, signal });
  const { value, reload } = useResource(load, { key: id, topics: ['keys'] });
  if (!value || value.items.length === 0) return null;
  return (
    <section class="removal" aria-label="Previous removals">
      <h3>Previous removals</h3>
      <ul>
        {value.items.map((removal) => (
          <li key={removal.id}>
            {removal.removedAt !== null && <When at={removal.removedAt} />}{' '}
            <span>{countText(removal.count, 'post')}</span>
            {endText(removal) === '' ? (
              <Button
                variant="is-small"
                label="Undo"
                aria-label={`Undo removal of ${countText(removal.count, 'post')}`}
                onClick={() => void undoRemoval(removal).then(reload)}
              />
            ) : (
              <span class="sub">{endText(removal)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says why a removal cannot be undone; empty if it can. */
function endText({ removedAt, undoneAt }: Removal): string {
  if (undoneAt !== null) return 'restored';
  return removedAt !== null && Date.now() - Date.parse(removedAt) > UNDO_MS ? 'permanently deleted' : '';
}

async function undoRemoval({ keyId, id, count }: Removal): Promise<void> {
  try {
    await request('DELETE /keys/{keyId}/removals/{removalId}', { keyId, removalId: id ?? '' });
    toast(`${countText(count, 'post')} restored.`);
  } catch (error) {
    toast(errorMessage(error), { isError: true });
  }
}
