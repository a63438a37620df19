import type { ApiKey, Item, Removal } from '@hub/contract';
import { useState } from 'preact/hooks';
import type { ResourceState } from '../../../data/live/resource.ts';
import { useResource } from '../../../data/live/use-resource.ts';
import { errorMessage, request } from '../../../data/request.ts';
import { countText } from '../../../lib/count-text.ts';
import { dayAndClock } from '../../../lib/keys/key-times.ts';
import { localDay } from '../../../lib/time/dates.ts';
import { now } from '../../../lib/time/now.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog, Problem, SelectField, TextField } from '../../../ui/forms/form.tsx';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { nameOf, noLongerWorks, type OlderOutcome } from './key-commands.tsx';
import { isOver } from './key-state.ts';

const HOUR_MS = 3_600_000;
const UNDO_MS = 30 * 24 * HOUR_MS;

interface RemovePostsDialogProps {
  apiKey: ApiKey;
  /** Set if the key was just revoked or replaced: what happened to its previous keys. */
  outcome: OlderOutcome | null;
  post?: Item | undefined;
  onClose: () => void;
}

type Since = 'post' | 'hour' | 'day' | 'all' | 'time';

/** Removes a key's posts since one of them or a chosen time, with undo. */
export function RemovePostsDialog({ apiKey, outcome, post, onClose }: RemovePostsDialogProps) {
  const [since, setSince] = useState<Since>(post ? 'post' : 'hour');
  const [time, setTime] = useState('');
  const [openedAt] = useState(Date.now());
  const from = since === 'post' ? post?.createdAt : startOf(since, time, openedAt);
  const { state } = useResource((signal) => countPosts(apiKey, from, signal), { key: `${apiKey.id} ${from}` });
  const count = state.status === 'ready' ? state.value : 0;
  const choose = (next: Since) => {
    // The time begins with the start of the range shown before.
    if (next === 'time') setTime(localTime(from ?? apiKey.createdAt));
    setSince(next);
  };
  const remove = async () => {
    if (from === undefined) return;
    const removal = await request('POST /keys/{keyId}/removals', { keyId: apiKey.id, body: bodyOf(from) });
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
              ...(post ? [{ value: 'post' as const, label: 'From this post on' }] : []),
              { value: 'hour', label: 'Last hour' },
              { value: 'day', label: 'Last 24 hours' },
              { value: 'all', label: `All, since ${dayAndClock(apiKey.createdAt, now.value)}` },
              { value: 'time', label: 'Custom start time' },
            ]}
          />
          {since === 'time' && <TextField label="Start time" type="datetime-local" value={time} onValue={setTime} />}
          <p class="removal" role="status">
            {from === undefined ? 'Choose a time.' : foundText(state)}
          </p>
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

/** Counts the posts that would be removed. */
async function countPosts({ id }: ApiKey, from: string | null | undefined, signal: AbortSignal): Promise<number> {
  if (from === undefined) return 0;
  const body = { isPreview: true, ...bodyOf(from) };
  return (await request('POST /keys/{keyId}/removals', { keyId: id, body, signal })).count;
}

function foundText(state: ResourceState<number>): string {
  if (state.status === 'loading') return 'Counting…';
  if (state.status === 'failed') return state.text;
  return state.value === 0 ? 'No posts in that time.' : countText(state.value, 'post');
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
