import BellOff from 'icon:bell-off';
import Plus from 'icon:plus';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { route } from '../router/location.ts';
import { lazy } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { NavRow } from './nav-row.tsx';
import { UnreadCount } from './unread-count.tsx';

const NewHubDialog = lazy(async () => (await import('./new-hub-dialog.tsx')).NewHubDialog);

/** The user's Hubs, sorted by name, and a button for admins to create one. */
export function HubRows() {
  const { me, hubs } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const { path } = route.value;
  return (
    <>
      <h2 class="side-label">
        <span>Hubs</span>
        {me.value.role !== 'member' && (
          <button class="icon-btn is-small" type="button" aria-label="New Hub" onClick={() => setCreating(true)}>
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
      {hubs.isLoaded.value && hubs.mine.value.length === 0 && <p class="side-empty">No Hubs yet</p>}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** A Hub in the sidebar. Unread items of a muted Hub are not counted. */
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
