import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { navigate } from '../../lib/router/location.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { DuplicateName } from './duplicate-name.tsx';

/** Creates a Hub and opens it. */
export function NewHubDialog({ onClose }: { onClose: () => void }) {
  const { hubs } = useWorkspace();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New Hub"
      lead="A place for one team, product or kind of alert. You’ll be its first member."
      act="Create Hub"
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
          value={name}
          error={error}
          remark={{ id: 'new-hub-taken', message: <DuplicateName id="new-hub-taken" name={name} /> }}
          onValue={setName}
        />
      )}
    </FormDialog>
  );
}
