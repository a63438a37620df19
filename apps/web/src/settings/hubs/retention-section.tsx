import type { Hub } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { LOCALE } from '../../time/format.ts';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';
import { isShorter, keptFor } from './hubs-list.ts';
import { ShortenDialog } from './shorten-dialog.tsx';

const MAX_DAYS = 36_500;
const USUAL_DAYS = 90;

/** For how long the Hub keeps what is in it. */
export function RetentionSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const { retentionDays } = hub;
  const [isForEver, setForEver] = useState(retentionDays === null);
  const [days, setDays] = useState(String(retentionDays ?? USUAL_DAYS));
  const [former, setFormer] = useState(retentionDays);
  // Somebody else has set it: what nobody has chosen or typed over follows.
  useEffect(() => {
    const isUntouched = former === null ? isForEver : !isForEver && days === String(former);
    if (isUntouched) {
      setForEver(retentionDays === null);
      setDays(String(retentionDays ?? USUAL_DAYS));
    }
    setFormer(retentionDays);
  }, [retentionDays]);
  const [shortened, setShortened] = useState<number | null>(null);
  const set = async (next: number | null) => {
    await request<Hub>('PATCH', path`/hubs/${hub.id}`, { body: { retentionDays: next } });
    await onChanged();
    toast(`Items are kept ${keptFor(next)} now.`);
  };
  const { submit, isBusy, error } = useSubmit(async () => {
    const next = isForEver ? null : readDays(days);
    if (next === retentionDays) throw new Error(`They are kept ${keptFor(next)} already.`);
    if (next !== null && isShorter(next, retentionDays)) setShortened(next);
    else await set(next);
  });
  return (
    <>
      <section class="settings-section" aria-labelledby="hub-retention">
        <h2 id="hub-retention">How long items are kept</h2>
        <form onSubmit={submit} noValidate>
          <fieldset class="options">
            <legend class="sr">How long items are kept</legend>
            <label class="optline">
              <input type="radio" name="kept" checked={isForEver} onChange={() => setForEver(true)} />
              <span>For ever</span>
            </label>
            <label class="optline">
              <input type="radio" name="kept" checked={!isForEver} onChange={() => setForEver(false)} />
              <span>For a number of days; what is older is erased for good</span>
            </label>
          </fieldset>
          {!isForEver && (
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
  throw new Error(`Type a whole number of days, from 1 to ${MAX_DAYS.toLocaleString(LOCALE)}.`);
}
