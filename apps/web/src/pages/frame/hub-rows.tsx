import BellOff from 'icon:bell-off';
import Pencil from 'icon:pencil';
import Plus from 'icon:plus';
import type { Hub } from '@hub/contract';
import { useMemo, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { hubsWithDraft } from '../../data/unsent/composer-drafts.ts';
import { route } from '../../lib/router/location.ts';
import { lazy } from '../../ui/page/lazy.tsx';
import { NavRow } from '../../ui/page/nav-row.tsx';
import { UnreadCount } from '../../ui/page/unread-count.tsx';

const NewHubDialog = lazy(async () => (await import('../new-hub/new-hub-dialog.tsx')).NewHubDialog);

/** The user's Hubs, sorted by name, and a button for admins to create one. */
export function HubRows() {
  const { me, hubs } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const { path } = route.value;
  const drafts = useMemo(() => hubsWithDraft(me.peek().id), [me]).value;
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
            <HubRow
              hub={hub}
              hasDraft={drafts.has(hub.id)}
              isCurrent={path === `/hubs/${hub.id}` || path.startsWith(`/hubs/${hub.id}/`)}
            />
          </li>
        ))}
      </ul>
      {hubs.isLoaded.value && hubs.mine.value.length === 0 && <p class="side-empty">No Hubs yet</p>}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </>
  );
}

interface HubRowProps {
  hub: Hub;
  isCurrent: boolean;
  hasDraft: boolean;
}

/** A Hub in the sidebar. Unread items of a muted Hub are not counted. */
function HubRow({ hub: { id, name, unreadCount, isMuted }, isCurrent, hasDraft }: HubRowProps) {
  const unread = isMuted ? 0 : (unreadCount ?? 0);
  return (
    <NavRow to={`/hubs/${id}`} isCurrent={isCurrent} isUnread={unread > 0} isMuted={isMuted === true}>
      <span class="ring" />
      <span class="grow" title={name}>
        {name}
      </span>
      {hasDraft && (
        <>
          <Pencil size="s" />
          <span class="sr">, unsent draft</span>
        </>
      )}
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
