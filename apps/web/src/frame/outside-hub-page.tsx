import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { errorMessage, path, request } from '../api/request.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { PageBar } from './page-bar.tsx';

/** A Hub that an admin manages and does not read. */
export function OutsideHubPage({ hub: { id, name } }: { hub: Hub }) {
  const { me, hubs } = useWorkspace();
  const [failure, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const join = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await request('POST', path`/hubs/${id}/members`, { body: { personId: me.peek().id } });
      await hubs.load();
    } catch (error) {
      setError(errorMessage(error));
    }
    setBusy(false);
  };
  return (
    <main class="main" id="main">
      <PageBar title={name} />
      <div class="empty">
        <h2>You do not belong to {name}</h2>
        <p>Admins manage every Hub and read only their own. You can add yourself; the audit log says so.</p>
        <p class="error" role="alert">
          {failure}
        </p>
        <div class="actions">
          <button class="btn is-main" type="button" aria-disabled={isBusy} onClick={() => void join()}>
            Add me to {name}
          </button>
        </div>
      </div>
    </main>
  );
}
