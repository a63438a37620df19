import { LIMITS } from '@hub/contract/limits';
import { normalizeName } from '@hub/contract/normalize-name';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { navigate } from '../../lib/router/location.ts';
import { FormDialog, TextField } from '../../ui/forms/form.tsx';

export function NewHubDialog({ onClose }: { onClose: () => void }) {
  const { hubs } = useWorkspace();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New Hub"
      description="A place for one team, product or kind of alert. You’ll be its first member."
      submitLabel="Create Hub"
      onSubmit={async () => {
        if (name.trim() === '') throw new Error('Enter a name.');
        const { id } = await request('POST /hubs', { body: { name: name.trim() } });
        await hubs.load();
        onClose();
        navigate(`/hubs/${id}`);
      }}
      onClose={onClose}
    >
      {(error) => (
        <TextField
          id="new-hub-name"
          label="Name"
          placeholder="Releases"
          autofocus
          maxLength={LIMITS.hubNameCodePoints}
          value={name}
          error={error}
          remark={<DuplicateName name={name} />}
          onValue={setName}
        />
      )}
    </FormDialog>
  );
}

/** Warns that a live Hub has this name, before the server rejects it. */
export function DuplicateName({ name, hubId }: { name: string; hubId?: string }) {
  const { hubs } = useWorkspace();
  const ownName = normalizeName(name);
  const isTaken = hubs.all.value.some(
    (hub) => normalizeName(hub.name) === ownName && hub.id !== hubId && hub.deletedAt === null,
  );
  return <>{isTaken && 'A Hub with this name already exists.'}</>;
}
