import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage, request } from '../../data/request.ts';
import { PageBar } from './page-bar.tsx';

/** The page that an admin sees for a Hub that they manage but are not a member of. */
export function OutsideHubPage({ hub: { id, name } }: { hub: Hub }) {
  const { me, hubs } = useWorkspace();
  const [failure, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const join = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await request('POST /hubs/{hubId}/members', { hubId: id, body: { personId: me.peek().id } });
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
        <h2>You’re not a member of {name}</h2>
        <p>
          Admins can manage every Hub, but can read only Hubs they’re members of. You can add yourself; the audit log
          records it.
        </p>
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
