import type { ApiKey, Removal } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { errorMessage } from '../../api/request.ts';
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
  /** It was stopped just now, which is the better part of it; with what became of the keys before it. */
  stopped: OlderOutcome | null;
  onClose: () => void;
}

type Since = 'hour' | 'day' | 'all' | 'time';

/** What a key has posted since some moment, to be taken out of its Hub; with a preview, and a way back. */
export function RemovePostsDialog({ apiKey, stopped, onClose }: RemovePostsDialogProps) {
  const { hubs } = useWorkspace();
  const isReader = hubs.find(apiKey.hubId)?.isMember ?? false;
  const [since, setSince] = useState<Since>('hour');
  const [time, setTime] = useState('');
  const [openedAt] = useState(Date.now());
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const from = startOf(since, time, openedAt);
  const preview = useRemovalPreview(apiKey, from, isReader);
  const count = preview.status === 'ready' ? preview.count : 0;
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
      title={`Remove what ${calledAfter('the', apiKey)} posted?`}
      lead={`${stoppedText(apiKey, stopped)}What it posted stays, unless you remove it. That can be undone for 30 days.`}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Leave it
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

/** Where it was replaced, its name is that of the new one, which works. */
function calledAfter(article: 'The' | 'the', { name, successorId }: ApiKey): string {
  return successorId === null ? name : `${article} old key of ${name}`;
}

function stoppedText(key: ApiKey, stopped: OlderOutcome | null): string {
  if (stopped === null) return '';
  const also = stopped.endedCount > 0 ? ' So is what came before it.' : '';
  const left = stopped.left.map((each) => ` ${stillWorks(each, 'still works')}`).join('');
  return `${calledAfter('The', key)} is stopped: it is refused from now on.${also}${left} `;
}

/** `undefined` while no time is chosen. */
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
      toast(`${postsText(removal.count)} are back.`);
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
        <label for={field}>What it posted</label>
        <select id={field} value={since} onChange={({ currentTarget }) => onSince(currentTarget.value as Since)}>
          <option value="hour">in the last hour</option>
          <option value="day">in the last 24 hours</option>
          <option value="all">ever, since {dayAndClock(apiKey.createdAt, now.value)}</option>
          <option value="time">since a time of your choice</option>
        </select>
      </div>
      {since === 'time' && (
        <div class="field">
          <label for={`${field}-time`}>Since</label>
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
