import Trash2 from 'icon:trash-2';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
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
        <p>Its keys answer 404 from then on, and its views close. Nothing is erased: an admin can restore it.</p>
        <button class="btn is-danger" type="button" onClick={() => setAsking(true)}>
          <Trash2 /> Delete {name}
        </button>
      </section>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          lead={
            <>
              It closes for everybody at once. {keyCount ? `${countOf(keyCount, 'key')} of programs` : 'Its keys'}{' '}
              answer 404 from the next request on. You find it in the list of Hubs under “With deleted”, and can restore
              it.
            </>
          }
          typed={{ word: name, label: 'Type the Hub’s name to confirm' }}
          keep="Keep the Hub"
          act="Delete now"
          isBad
          onAct={async () => {
            await request<Hub>('DELETE', path`/hubs/${id}`);
            await Promise.all([onChanged(), hubs.load()]);
            toast(`${name} is deleted.`);
          }}
          onDone={() => navigate('/settings/hubs')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
