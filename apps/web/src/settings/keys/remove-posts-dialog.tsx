import type { ApiKey, Removal } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { errorMessage } from '../../data/request.ts';
import { now } from '../../time/now.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import type { OlderOutcome } from './actions.ts';
import { dayAndClock } from './key-times.ts';
import { stillWorks } from './older-keys.ts';
import { PastRemovals } from './past-removals.tsx';
import { RemovalPreviewList, useRemovalPreview } from './removal-preview.tsx';
import { postsText, removePosts, undoRemoval } from './removals.ts';

const HOUR_MS = 3_600_000;

interface RemovePostsDialogProps {
  apiKey: ApiKey;
  /** Set if the key was just revoked or replaced: what happened to its previous keys. */
  outcome: OlderOutcome | null;
  onClose: () => void;
}

type Since = 'hour' | 'day' | 'all' | 'time';

/** Removes a key's posts since a chosen time, with a preview and undo. */
export function RemovePostsDialog({ apiKey, outcome, onClose }: RemovePostsDialogProps) {
  const { hubs } = useWorkspace();
  const isReader = hubs.find(apiKey.hubId)?.isMember ?? false;
  const [since, setSince] = useState<Since>('hour');
  const [time, setTime] = useState('');
  const [openedAt] = useState(Date.now());
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const from = startOf(since, time, openedAt);
  const preview = useRemovalPreview(apiKey, from, isReader);
  const count = preview.status === 'ready' ? preview.value.count : 0;
  const remove = async () => {
    if (from === undefined || isBusy) return;
    setBusy(true);
    setError('');
    try {
      report(await removePosts(apiKey.id, from));
      onClose();
    } catch (error) {
      setError(errorMessage(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Remove posts by ${labelOf('the', apiKey)}?`}
      lead={`${revokedText(apiKey, outcome)}Its posts stay unless you remove them. You can undo this for 30 days.`}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-bad" type="button" disabled={count === 0 || isBusy} onClick={() => void remove()}>
            {count === 0 ? 'Nothing to remove' : `Remove ${postsText(count)}`}
          </button>
        </>
      }
    >
      <SinceFields apiKey={apiKey} since={since} time={time} onSince={setSince} onTime={setTime} />
      <RemovalPreviewList preview={preview} isReader={isReader} />
      {failure !== '' && (
        <p class="error" role="alert">
          {failure}
        </p>
      )}
      <PastRemovals apiKey={apiKey} />
    </Dialog>
  );
}

/** Names the key. After a replacement, the new key has the same name, so the old one is called "the old key of …". */
function labelOf(article: 'The' | 'the', { name, successorId }: ApiKey): string {
  return successorId === null ? name : `${article} old key of ${name}`;
}

function revokedText(key: ApiKey, outcome: OlderOutcome | null): string {
  if (outcome === null) return '';
  const also = outcome.revokedCount > 0 ? ' Its previous keys were revoked too.' : '';
  const left = outcome.left.map((each) => ` ${stillWorks(each, 'still works')}`).join('');
  return `${labelOf('The', key)} no longer works.${also}${left} `;
}

/** Returns the start of the range; `null` for all posts, `undefined` while no time is chosen. */
function startOf(since: Since, time: string, openedAt: number): string | null | undefined {
  if (since === 'all') return null;
  if (since === 'hour') return new Date(openedAt - HOUR_MS).toISOString();
  if (since === 'day') return new Date(openedAt - 24 * HOUR_MS).toISOString();
  const chosen = Date.parse(time);
  return Number.isNaN(chosen) ? undefined : new Date(chosen).toISOString();
}

function report(removal: Removal): void {
  const undo = async () => {
    try {
      await undoRemoval(removal);
      toast(`${postsText(removal.count)} restored.`);
    } catch (error) {
      toast(errorMessage(error), { isBad: true });
    }
  };
  toast(`${postsText(removal.count)} removed.`, { action: { label: 'Undo', run: () => void undo() } });
}

interface SinceFieldsProps {
  apiKey: ApiKey;
  since: Since;
  time: string;
  onSince: (since: Since) => void;
  onTime: (time: string) => void;
}

function SinceFields({ apiKey, since, time, onSince, onTime }: SinceFieldsProps) {
  const field = useId();
  return (
    <>
      <div class="field">
        <label for={field}>Posts to remove</label>
        <select id={field} value={since} onChange={({ currentTarget }) => onSince(currentTarget.value as Since)}>
          <option value="hour">Last hour</option>
          <option value="day">Last 24 hours</option>
          <option value="all">All, since {dayAndClock(apiKey.createdAt, now.value)}</option>
          <option value="time">Custom start time</option>
        </select>
      </div>
      {since === 'time' && (
        <div class="field">
          <label for={`${field}-time`}>Start time</label>
          <input
            id={`${field}-time`}
            type="datetime-local"
            value={time}
            onInput={({ currentTarget }) => onTime(currentTarget.value)}
          />
        </div>
      )}
    </>
  );
}
