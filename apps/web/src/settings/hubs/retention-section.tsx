import type { Hub } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { LOCALE } from '../../time/format.ts';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';
import { isShorter, retentionText } from './hubs-list.ts';
import { ShortenDialog } from './shorten-dialog.tsx';

const MAX_DAYS = 36_500;
const USUAL_DAYS = 90;

/** Sets how long the Hub keeps its items. */
export function RetentionSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const { retentionDays } = hub;
  const [isForever, setForever] = useState(retentionDays === null);
  const [days, setDays] = useState(String(retentionDays ?? USUAL_DAYS));
  const [former, setFormer] = useState(retentionDays);
  // If another admin changes the retention period, unedited fields show the new value.
  useEffect(() => {
    const isUntouched = former === null ? isForever : !isForever && days === String(former);
    if (isUntouched) {
      setForever(retentionDays === null);
      setDays(String(retentionDays ?? USUAL_DAYS));
    }
    setFormer(retentionDays);
  }, [retentionDays]);
  const [shortened, setShortened] = useState<number | null>(null);
  const set = async (next: number | null) => {
    await request('PATCH /hubs/{hubId}', { hubId: hub.id, body: { retentionDays: next } });
    await onChanged();
    toast(`Items are now kept ${retentionText(next)}.`);
  };
  const { submit, isBusy, error } = useSubmit(async () => {
    const next = isForever ? null : readDays(days);
    if (next === retentionDays)
      throw new Error(`Items are already kept ${retentionText(next)}. Choose another retention.`);
    if (next !== null && isShorter(next, retentionDays)) setShortened(next);
    else await set(next);
  });
  return (
    <>
      <section class="settings-section" aria-labelledby="hub-retention">
        <h2 id="hub-retention">How long to keep items</h2>
        <form onSubmit={submit} noValidate>
          <fieldset class="options">
            <legend class="sr">How long to keep items</legend>
            <label class="optline">
              <input type="radio" name="kept" checked={isForever} onChange={() => setForever(true)} />
              <span>Forever</span>
            </label>
            <label class="optline">
              <input type="radio" name="kept" checked={!isForever} onChange={() => setForever(false)} />
              <span>For a number of days, then delete permanently</span>
            </label>
          </fieldset>
          {!isForever && (
            <div class="field is-days">
              <label for="hub-days">Days</label>
              <input
                id="hub-days"
                inputMode="numeric"
                autocomplete="off"
                value={days}
                aria-invalid={error !== ''}
                aria-describedby="hub-days-error"
                onInput={({ currentTarget }) => setDays(currentTarget.value)}
              />
            </div>
          )}
          <Problem id="hub-days-error" text={error} />
          <button class="btn" type="submit" aria-disabled={isBusy}>
            Save
          </button>
        </form>
      </section>
      {shortened !== null && (
        <ShortenDialog hub={hub} days={shortened} onSet={() => set(shortened)} onClose={() => setShortened(null)} />
      )}
    </>
  );
}

function readDays(text: string): number {
  const days = Number(text.trim());
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new Error(`Enter a whole number of days from 1 to ${MAX_DAYS.toLocaleString(LOCALE)}.`);
}
