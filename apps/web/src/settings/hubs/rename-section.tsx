import type { Hub } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { DuplicateName } from '../../frame/duplicate-name.tsx';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

export function RenameSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const [name, setName] = useState(hub.name);
  const [former, setFormer] = useState(hub.name);
  // If another admin renames the Hub, an unedited field shows the new name.
  useEffect(() => {
    if (name === former) setName(hub.name);
    setFormer(hub.name);
  }, [hub.name]);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (name.trim() === '') throw new Error('Enter a name.');
    await request('PATCH /hubs/{hubId}', { hubId: hub.id, body: { name: name.trim() } });
    setName(name.trim());
    setFormer(name.trim());
    await onChanged();
    toast(`Renamed to ${name.trim()}.`);
  });
  return (
    <section class="settings-section" aria-labelledby="hub-name-head">
      <h2 id="hub-name-head">Name</h2>
      <form onSubmit={submit} noValidate>
        <div class="field">
          <label for="hub-name">Hub name</label>
          <input
            id="hub-name"
            autocomplete="off"
            value={name}
            aria-invalid={error !== ''}
            aria-describedby="hub-name-taken hub-name-error"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <DuplicateName id="hub-name-taken" name={name} hubId={hub.id} />
          <Problem id="hub-name-error" text={error} />
        </div>
        <button class="btn" type="submit" disabled={name.trim() === hub.name} aria-disabled={isBusy}>
          Rename
        </button>
      </form>
    </section>
  );
}
