import { useState } from 'preact/hooks';
import { errorMessage, request } from '../data/request.ts';
import { navigate } from '../router/location.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { DuplicateName } from './duplicate-name.tsx';

/** Creates a Hub and opens it. */
export function NewHubDialog({ onClose }: { onClose: () => void }) {
  const { hubs } = useWorkspace();
  const [name, setName] = useState('');
  const [failure, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const make = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') {
      setError('Enter a name.');
      return;
    }
    setBusy(true);
    setError('');
    try {
      const { id } = await request('POST /hubs', { body: { name: name.trim() } });
      await hubs.load();
      onClose();
      navigate(`/hubs/${id}`);
    } catch (error) {
      setError(errorMessage(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="New Hub"
      lead="A place for one team, product or kind of alert. You'll be its first member."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form="new-hub" aria-disabled={isBusy}>
            Create Hub
          </button>
        </>
      }
    >
      <form id="new-hub" class="field" onSubmit={make} noValidate>
        <label for="new-hub-name">Name</label>
        <input
          id="new-hub-name"
          autocomplete="off"
          placeholder="Releases"
          value={name}
          autofocus
          aria-invalid={failure !== ''}
          aria-describedby="new-hub-taken new-hub-error"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DuplicateName id="new-hub-taken" name={name} />
        <p class="error" id="new-hub-error" role="alert">
          {failure}
        </p>
      </form>
    </Dialog>
  );
}
