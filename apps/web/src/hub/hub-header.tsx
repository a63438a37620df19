import Bell from 'icon:bell';
import BellOff from 'icon:bell-off';
import Ellipsis from 'icon:ellipsis';
import KeyRound from 'icon:key-round';
import Link from 'icon:link';
import Plus from 'icon:plus';
import Settings2 from 'icon:settings-2';
import Users from 'icon:users';
import type { Hub, NotificationMode } from '@hub/contract';
import { useState } from 'preact/hooks';
import { MenuButton } from '../frame/menu-button.tsx';
import { UnreadCount } from '../frame/unread-count.tsx';
import { setHubMode } from '../notifications/modes.ts';
import { navigate } from '../router/location.ts';
import { openIssueKey } from '../settings/issue-key/open-issue-key.ts';
import { copyText } from '../ui/clipboard.ts';
import { lazy } from '../ui/lazy.tsx';
import { Menu } from '../ui/menu.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { useHubCounts } from './hub-counts.ts';

export type HubTab = 'conversation' | 'todos' | 'notes';

const MembersDialog = lazy(async () => (await import('./members-dialog.tsx')).MembersDialog);

/** The header of a Hub: its name, tabs, members, keys and menu. */
export function HubHeader({ hub, tab }: { hub: Hub; tab: HubTab }) {
  const [areMembersShown, showMembers] = useState(false);
  const [menuBy, setMenuBy] = useState<HTMLElement | null>(null);
  const counts = useHubCounts(hub.id);
  const { hubs } = useWorkspace();
  const mute = (mode: NotificationMode) => setHubMode(hubs, hub, mode);
  const keysAddress = `/settings/keys?hub=${hub.id}`;
  const tabTo = (name: HubTab, to: string, label: string, unread = 0, count?: number | null) => (
    <a class={unread ? 'tab is-new' : 'tab'} href={to} aria-current={name === tab ? 'page' : undefined}>
      {label} {unread > 0 ? <UnreadCount count={unread} noun="new" /> : count ? <span class="num">{count}</span> : null}
    </a>
  );
  const { message, todo, note } = hub.unreadCounts ?? {};
  return (
    <header class="bar">
      <MenuButton />
      <h1 class="bar-title">
        <span>{hub.name}</span>
      </h1>
      <nav class="tabs" aria-label={hub.name}>
        {tabTo('conversation', `/hubs/${hub.id}`, 'Conversation', message)}
        {tabTo('todos', `/hubs/${hub.id}/todos`, 'To-dos', todo, counts?.openTodos)}
        {tabTo('notes', `/hubs/${hub.id}/notes`, 'Notes', note, counts?.notes)}
      </nav>
      <div class="bar-end">
        <button class="btn is-bare is-small hide-s" type="button" onClick={() => showMembers(true)}>
          <span class="sr">Members: </span>
          <Users />
          <span class="num">{counts?.members ?? ''}</span>
        </button>
        {counts?.keys !== undefined && counts.keys !== null && (
          <a class="btn is-bare is-small hide-s" href={keysAddress}>
            <span class="sr">API keys: </span>
            <KeyRound />
            <span class="num">{counts.keys}</span>
          </a>
        )}
        <button
          class="icon-btn"
          type="button"
          aria-label="Hub options"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => setMenuBy(currentTarget)}
        >
          <Ellipsis />
        </button>
      </div>
      {menuBy && (
        <Menu
          label={`Options for ${hub.name}`}
          opener={menuBy}
          onClose={() => setMenuBy(null)}
          items={[
            { label: 'Members', icon: <Users />, run: () => showMembers(true) },
            {
              label: hub.isMuted ? 'Unmute this Hub' : 'Mute this Hub',
              icon: hub.isMuted ? <Bell /> : <BellOff />,
              run: () => void mute(hub.isMuted ? 'usual' : 'muted'),
            },
            { label: 'API keys', icon: <KeyRound />, run: () => navigate(keysAddress) },
            ...(counts?.keys == null
              ? []
              : [{ label: 'Issue a key', icon: <Plus />, run: () => openIssueKey(hub.id) }]),
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
          ]}
        />
      )}
      {areMembersShown && <MembersDialog hub={hub} onClose={() => showMembers(false)} />}
    </header>
  );
}
