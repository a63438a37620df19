import BellOff from 'icon:bell-off';
import Plus from 'icon:plus';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { place } from '../router/location.ts';
import { later } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { NavRow } from './nav-row.tsx';
import { UnreadCount } from './unread-count.tsx';

const NewHubDialog = later(async () => (await import('./new-hub-dialog.tsx')).NewHubDialog);

/** One's Hubs by name, and the way to another one for those who may make it. */
export function HubRows() {
  const { me, hubs } = useWorkspace();
  const [isMaking, setMaking] = useState(false);
  const { path } = place.value;
  return (
    <>
      <h2 class="side-label">
        <span>Hubs</span>
        {me.value.role !== 'member' && (
          <button class="icon-btn is-small" type="button" aria-label="New Hub" onClick={() => setMaking(true)}>
            <Plus />
          </button>
        )}
      </h2>
      <ul>
        {hubs.mine.value.map((hub) => (
          <li key={hub.id}>
            <HubRow hub={hub} isCurrent={path === `/hubs/${hub.id}` || path.startsWith(`/hubs/${hub.id}/`)} />
          </li>
        ))}
      </ul>
      {hubs.isLoaded.value && hubs.mine.value.length === 0 && <p class="side-empty">None yet.</p>}
      {isMaking && <NewHubDialog onClose={() => setMaking(false)} />}
    </>
  );
}

/** What is new in a muted Hub is there when one looks, and is not counted here. */
function HubRow({ hub: { id, name, unreadCount, isMuted }, isCurrent }: { hub: Hub; isCurrent: boolean }) {
  const unread = isMuted ? 0 : (unreadCount ?? 0);
  return (
    <NavRow to={`/hubs/${id}`} isCurrent={isCurrent} isUnread={unread > 0} isMuted={isMuted === true}>
      <span class="ring" />
      <span class="grow" title={name}>
        {name}
      </span>
      <UnreadCount count={unread} />
      {isMuted && (
        <>
          <BellOff size="s" />
          <span class="sr">muted</span>
        </>
      )}
    </NavRow>
  );
}
