import type { Hub } from '@hub/contract';
import {
  ArrowLeft,
  AtSign,
  BellOff,
  CircleCheck,
  Command,
  Pencil,
  Plus,
  Rows3,
  Search,
  Settings,
  TextSearch,
  X,
} from 'icons';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import { hubsWithDraft } from '../../data/unsent/composer-drafts.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import { areShortcutsOn, COMMAND_KEY, useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { route } from '../../lib/router/location.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Mark } from '../../ui/icons/mark.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { closeDrawer, isDrawerOpen, lastPage, NavRow, UnreadCount } from '../../ui/page/navigation.tsx';
import { ConnectionState } from './connection.tsx';
import { openPalette } from './frame-shortcuts.tsx';

const SettingsNav = lazy(async () => (await import('../settings/settings-page.tsx')).SettingsNav, {
  // If it cannot be loaded, the page beside it says so. Hidden, it still tries again.
  around: (_props, instead) => <div hidden>{instead}</div>,
});

const NewHubDialog = lazy(async () => (await import('../new-hub/new-hub-dialog.tsx')).NewHubDialog);
const DueCount = lazy(async () => (await import('../todos/due-count.tsx')).DueCount);
const UserMenu = lazy(async () => (await import('./user-menu.tsx')).UserMenu);

/** The sidebar: the user's Hubs with unread counts and the connection status; in the settings, their sections. */
export function Sidebar() {
  const { path } = route.value;
  const isSettings = path === '/settings' || path.startsWith('/settings/');
  const isOpen = isDrawerOpen.value;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) nav.current?.querySelector<HTMLElement>('[aria-current], .side-scroll a')?.focus();
  }, [isOpen]);
  useEffect(() => closeDrawer({ isLeaving: true }), [path]);
  return (
    <nav
      class={isOpen ? 'side is-open' : 'side'}
      id="nav"
      aria-label={isSettings ? 'Settings' : 'Workspace'}
      ref={nav}
      onClick={({ target }) => {
        const link = target instanceof Element && target.closest('a');
        if (link) closeDrawer({ isLeaving: link.pathname !== path });
      }}
    >
      {isOpen && <CloseOnEscape />}
      <div class="side-top">
        {isSettings ? <BackLink /> : <WorkspaceName />}
        <IconButton
          icon={hasScreenKeyboard() ? <TextSearch /> : <Command />}
          label="Command palette"
          aria-keyshortcuts={`${COMMAND_KEY}+K`}
          onClick={openPalette}
        />
        <IconButton variant="is-small menu-open" icon={<X />} label="Close" onClick={() => closeDrawer()} />
      </div>
      {isSettings ? <SettingsNav /> : <MainNav path={path} />}
      <SideFoot />
    </nav>
  );
}

function WorkspaceName() {
  return (
    <a class="workspace grow" href="/stream">
      <Mark />
      <span class="cut">{useWorkspace().me.value.workspace.name}</span>
    </a>
  );
}

function BackLink() {
  return (
    <a class="workspace grow" href={lastPage.value} aria-label="Back from settings">
      <ArrowLeft size="m" />
      <span class="cut">Settings</span>
    </a>
  );
}

function MainNav({ path }: { path: string }) {
  const { hubs } = useWorkspace();
  const pages = [
    { to: '/stream', label: 'Stream', Icon: Rows3, unread: hubs.unreadCount.value },
    { to: '/mentions', label: 'For you', Icon: AtSign, unread: hubs.mentions.count.value },
    { to: '/todos', label: 'My to-dos', Icon: CircleCheck, unread: 0 },
  ];
  return (
    <div class="side-scroll">
      <NavRow to="/search" isCurrent={path === '/search'}>
        <Search size="m" />
        <span class="grow">Search</span>
        {areShortcutsOn.value && (
          <span class="key" aria-hidden="true">
            <kbd>/</kbd>
          </span>
        )}
      </NavRow>
      {pages.map(({ to, label, Icon, unread }) => (
        <NavRow key={to} to={to} isCurrent={path === to} isUnread={unread > 0}>
          <Icon size="m" />
          <span class="grow">{label}</span>
          {to === '/todos' ? <DueCount /> : <UnreadCount count={unread} />}
        </NavRow>
      ))}
      <HubRows />
    </div>
  );
}

function CloseOnEscape() {
  useShortcuts({ Escape: () => closeDrawer() });
  return null;
}

function SideFoot() {
  const { me } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  /** Set once the menu was opened: its questions stay when it closes. */
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  return (
    <div class="side-foot">
      <button
        class="me grow"
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setOpener(currentTarget);
          setOpen(!isOpen);
        }}
      >
        <Avatar id={me.value.id} name={me.value.name} kind="user" size="s" />
        <span class="cut">{me.value.name}</span>
      </button>
      <ConnectionState />
      <a class="icon-btn is-small" href="/settings" aria-label="Settings">
        <Settings />
      </a>
      {opener && <UserMenu isOpen={isOpen} opener={opener} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The user's Hubs, favorites first, each sorted by name, and a button for admins to create one. */
function HubRows() {
  const workspace = useWorkspace();
  const { me, hubs } = workspace;
  const isAdmin = me.value.role !== 'member';
  const [isCreating, setCreating] = useState(false);
  const { path } = route.value;
  const drafts = useMemo(() => hubsWithDraft(me.peek().id), [me]).value;
  // While connected, a message waits only for a moment.
  const isLive = isOnline.value && hubs.connection.value.status === 'live';
  const stuck = outboxOf(workspace).all.value.filter(({ state }) => state === 'failed' || !isLive);
  const favorites = hubs.mine.value.filter(({ isFavorite }) => isFavorite);
  const others = hubs.mine.value.filter(({ isFavorite }) => !isFavorite);
  const rows = (listed: readonly Hub[]) => (
    <ul>
      {listed.map((hub) => (
        <li key={hub.id}>
          <HubRow
            hub={hub}
            hasDraft={drafts.has(hub.id) || stuck.some(({ hubId }) => hubId === hub.id)}
            isCurrent={path === `/hubs/${hub.id}` || path.startsWith(`/hubs/${hub.id}/`)}
          />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {favorites.length > 0 && (
        <>
          <h2 class="side-label">Favorites</h2>
          {rows(favorites)}
        </>
      )}
      {(isAdmin || others.length > 0 || favorites.length === 0) && (
        <h2 class="side-label">
          <span>Hubs</span>
          {isAdmin && <IconButton icon={<Plus />} label="New Hub" onClick={() => setCreating(true)} />}
        </h2>
      )}
      {rows(others)}
      {hubs.isLoaded.value && hubs.mine.value.length === 0 && <p class="side-empty">No Hubs yet</p>}
      {isCreating && <NewHubDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** A Hub in the sidebar. Unread items of a muted Hub are not counted. */
function HubRow(props: { hub: Hub; isCurrent: boolean; hasDraft: boolean }) {
  const {
    hub: { id, name, unreadCount, isMuted },
    isCurrent,
    hasDraft,
  } = props;
  const unread = isMuted ? 0 : (unreadCount ?? 0);
  return (
    <NavRow to={`/hubs/${id}`} isCurrent={isCurrent} isUnread={unread > 0} isMuted={isMuted === true}>
      <span class="ring" />
      <span class="grow" title={name}>
        {name}
      </span>
      {hasDraft && (
        <>
          <Pencil />
          <span class="sr">, unsent draft</span>
        </>
      )}
      <UnreadCount count={unread} />
      {isMuted && (
        <>
          <BellOff />
          <span class="sr">muted</span>
        </>
      )}
    </NavRow>
  );
}
