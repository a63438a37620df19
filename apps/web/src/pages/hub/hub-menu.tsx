import type { Hub } from '@hub/contract';
import {
  Bell,
  BellOff,
  CheckCheck,
  KeyRound,
  Link,
  ListFilter,
  Plus,
  Settings2,
  Star,
  StarOff,
  Trash2,
  Users,
} from 'icons';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { navigate } from '../../lib/router/location.ts';
import { isNarrow } from '../../lib/widths.ts';
import type { Opened } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { setHubMode } from '../../ui/notification-modes.ts';
import { orToast, toast } from '../../ui/toast.tsx';
import { openIssueKey } from '../settings/keys/issue-key-overlay.tsx';
import type { HubDialogKind } from './hub-dialogs.tsx';

interface HubMenuProps extends Opened {
  hub: Hub;
  mayIssueKeys: boolean;
  openDialog: (kind: HubDialogKind) => void;
}

export function HubMenu({ hub, mayIssueKeys, openDialog, ...opened }: HubMenuProps) {
  const { hubs } = useWorkspace();
  return (
    <Menu
      label={`Options for ${hub.name}`}
      {...opened}
      items={[
        // On wide screens, the header has these.
        ...(isNarrow.value ? [{ label: 'Members', icon: <Users />, run: () => openDialog('members') }] : []),
        ...hubActions(hubs, hub, { mayIssueKeys, hasKeys: isNarrow.value }),
        { label: 'Deleted items', icon: <Trash2 />, run: () => openDialog('deleted') },
      ]}
    />
  );
}

/** Returns what the user can do with a Hub from its menu and from the command palette. */
export function hubActions(
  hubs: Hubs,
  hub: Hub,
  { mayIssueKeys, hasKeys = true }: { mayIssueKeys: boolean; hasKeys?: boolean },
): MenuItem[] {
  const keys = [
    { label: 'API keys', icon: <KeyRound />, run: () => navigate(`/settings/keys?hub=${hub.id}`) },
    ...(mayIssueKeys ? [{ label: 'Issue a key', icon: <Plus />, run: () => openIssueKey(hub.id) }] : []),
  ];
  return [
    ...(hub.unreadCount ? [{ label: 'Mark as read', icon: <CheckCheck />, run: () => void markRead(hubs, hub) }] : []),
    {
      label: hub.isMuted ? 'Unmute this Hub' : 'Mute this Hub',
      icon: hub.isMuted ? <Bell /> : <BellOff />,
      run: () => void setHubMode(hubs, hub, hub.isMuted ? 'usual' : 'muted'),
    },
    {
      label: hub.isFavorite ? 'Remove from favorites' : 'Add to favorites',
      icon: hub.isFavorite ? <StarOff /> : <Star />,
      run: () => void setFavorite(hubs, hub),
    },
    { label: 'Filter messages', icon: <ListFilter />, run: () => navigate(`/hubs/${hub.id}?filter=true`) },
    ...(hasKeys ? keys : []),
    {
      label: 'Copy link',
      icon: <Link />,
      run: () => void copyText(`${location.origin}/hubs/${hub.id}`, 'Link copied.'),
    },
    {
      label: 'Hub settings',
      icon: <Settings2 />,
      isNewGroup: true,
      run: () => navigate(`/settings/hubs?hub=${hub.id}`),
    },
  ];
}

const setFavorite = (hubs: Hubs, { id: hubId, isFavorite }: Hub) =>
  orToast('Not changed.', async () => {
    await request(isFavorite ? 'DELETE /hubs/{hubId}/favorite' : 'PUT /hubs/{hubId}/favorite', { hubId });
    hubs.change(hubId, { isFavorite: !isFavorite });
  });

async function markRead(hubs: Hubs, { id, seq, name }: Hub): Promise<void> {
  toast(`All messages, to-dos and notes in ${name} are marked as read.`);
  await orToast('Couldn’t mark them as read.', () => hubs.markRead(id, seq));
}
