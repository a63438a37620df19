import Trash2 from 'icon:trash-2';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { navigate } from '../../router/location.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { countOf } from '../members/holdings-text.ts';

export function DeleteHubSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const { hubs } = useWorkspace();
  const [isAsking, setAsking] = useState(false);
  const { id, name, keyCount } = hub;
  return (
    <>
      <section class="settings-section" aria-labelledby="hub-delete">
        <h2 id="hub-delete">Delete this Hub</h2>
        <p>Its keys stop working, and the Hub closes for everyone. Nothing is erased, and an admin can restore it.</p>
        <button class="btn is-danger" type="button" onClick={() => setAsking(true)}>
          <Trash2 /> Delete {name}
        </button>
      </section>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          lead={
            <>
              The Hub closes for everyone immediately, and {keyCount ? countOf(keyCount, 'key') : 'its keys'} will get
              404. To restore it, choose “Show deleted” in the list of Hubs.
            </>
          }
          typed={{ word: name, label: 'Type the Hub’s name to confirm' }}
          act="Delete Hub"
          isBad
          onAct={async () => {
            await request('DELETE /hubs/{hubId}', { hubId: id });
            await Promise.all([onChanged(), hubs.load()]);
            toast(`${name} deleted.`);
          }}
          onDone={() => navigate('/settings/hubs')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
