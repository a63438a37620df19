import type { ApiKey, Hub, UserRef } from '@hub/contract';
import {
  AtSign,
  CircleCheck,
  Keyboard,
  KeyRound,
  Link,
  LogOut,
  Monitor,
  Moon,
  Paperclip,
  Plus,
  Reply,
  Rows3,
  Search,
  SmilePlus,
  SquareArrowOutUpRight,
  SquareCheckBig,
  StickyNote,
  Sun,
} from 'icons';
import type { ComponentChildren } from 'preact';
import type { Workspace } from '../../../data/live/workspace.ts';
import { navigate, route } from '../../../lib/router/location.ts';
import { chooseTheme, theme } from '../../../lib/theme/theme.ts';
import { hasScreenKeyboard } from '../../../lib/widths.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { copyLink } from '../../../ui/clipboard.ts';
import type { MenuItem } from '../../../ui/menu.tsx';
import { openEmojiPicker, reply } from '../../feed/message-actions.ts';
import { openItem, type selectedItem } from '../../feed/row-keys.ts';
import { conversions, menuOf } from '../../feed/row-overlay.tsx';
import { hubActions } from '../../hub/hub-menu.tsx';
import { openIssueKey } from '../../settings/keys/issue-key-overlay.tsx';
import { keyCommands as commandsOf, type KeyAction } from '../../settings/keys/key-commands.tsx';
import { sectionsFor } from '../../settings/settings-page.tsx';

/** The heading of each group, and the name beside each of its matches. */
export const GROUPS = {
  message: ['Selected message', 'Message'],
  item: ['Selected item', 'Item'],
  hub: ['Hubs', 'Hub'],
  page: ['Pages', 'Page'],
  current: ['This Hub', 'This Hub'],
  action: ['Actions', 'Action'],
  settings: ['Settings', 'Settings'],
  key: ['Keys', 'Key'],
  member: ['Members', 'Posts by member'],
} as const;

export interface Command {
  /** Stays the same, so that recent commands are found again. */
  id: string;
  group: keyof typeof GROUPS;
  label: string;
  aliases?: readonly string[];
  icon: ComponentChildren;
  keys?: string | undefined;
  unreadCount?: number;
  run: () => void;
}

/** Returns the Hubs of the user as commands that open this tab of them. */
export function hubCommands(hubs: readonly Hub[], tab: string): Command[] {
  return hubs.map(({ id, name, unreadCount, isMuted }) => ({
    id: `hub ${id}`,
    group: 'hub',
    label: name,
    icon: <span class="ring" />,
    unreadCount: isMuted ? 0 : (unreadCount ?? 0),
    run: () => navigate(`/hubs/${id}${tab}`),
  }));
}

/** Returns the tabs and actions of the Hub that the page shows. */
export function currentHubCommands({ hubs }: Workspace): Command[] {
  const hub = hubs.mine.peek().find(({ id }) => id === currentHubId());
  if (!hub) return [];
  const tab = (name: string, label: string, icon: ComponentChildren, keys?: string): Command => ({
    id: `current ${name}`,
    group: 'current',
    label,
    icon,
    ...(keys !== undefined && { keys }),
    run: () => navigate(`/hubs/${hub.id}/${name}`),
  });
  const actions = hubActions(hubs, hub, { mayIssueKeys: false }).map(
    ({ label, icon, run }): Command => ({ id: `current ${label}`, group: 'current', label, icon, run }),
  );
  return [
    tab('todos', 'To-dos', <SquareCheckBig />, 'g t'),
    tab('notes', 'Notes', <StickyNote />, 'g n'),
    tab('files', 'Files', <Paperclip />),
    ...actions,
  ];
}

function currentHubId(): string | undefined {
  return /^\/hubs\/([^/]+)/.exec(route.peek().path)?.[1];
}

export function pageCommands(): Command[] {
  const page = (to: string, label: string, icon: ComponentChildren, keys?: string, ...aliases: string[]): Command => ({
    id: `page ${to}`,
    group: 'page',
    label,
    aliases,
    icon,
    keys,
    run: () => navigate(to),
  });
  return [
    page('/stream', 'Stream', <Rows3 />, 'g s'),
    page('/mentions', 'For you', <AtSign />, undefined, 'Mentions'),
    page('/todos', 'My to-dos', <CircleCheck />),
    page('/search', 'Search', <Search />, '/'),
  ];
}

export function settingsCommands({ me }: Workspace): Command[] {
  const { own, workspace } = sectionsFor(me.value.role);
  return [...own, ...workspace].map(({ name, title, aliases, icon: Icon }) => ({
    id: `settings ${name}`,
    group: 'settings',
    label: title,
    aliases: [...aliases, `Settings ${title}`],
    icon: <Icon />,
    run: () => navigate(`/settings/${name}`),
  }));
}

export const SEARCH = 'search';

/** Searches the posts for what no command matches. */
export function searchCommand(query: string): Command {
  return {
    id: SEARCH,
    group: 'page',
    label: `Search posts for “${query}”`,
    icon: <Search />,
    run: () => navigate(`/search?q=${encodeURIComponent(query)}`),
  };
}

export function memberCommands(members: readonly UserRef[]): Command[] {
  return members.map(({ id, name }) => ({
    id: `member ${id}`,
    group: 'member',
    label: name,
    icon: <Avatar id={id} name={name} kind="user" size="s" />,
    run: () => navigate(`/search?author=${encodeURIComponent(id)}`),
  }));
}

/** Returns the keys that the user manages, and what can be done with each. */
export function keyCommands(keys: readonly ApiKey[], onAction: (action: KeyAction) => void): Command[] {
  const find = (id: string | null) => keys.find((key) => key.id === id);
  return keys.flatMap((key) => {
    const { id, hubId, name } = key;
    const open: Command = {
      ...{ id: `key ${id}`, group: 'key', label: name },
      icon: <Avatar id={id} name={name} kind="key" size="s" />,
      run: () => navigate(`/settings/keys?hub=${hubId}&key=${id}`),
    };
    const actions = commandsOf(key, { isAdmin: false, find }).map(({ label, icon, action }): Command => {
      return {
        id: `key-action ${label} ${id}`,
        group: 'key',
        label: `${label} ${name}`,
        icon,
        run: () => onAction(action),
      };
    });
    return [open, ...actions];
  });
}

interface ActionsOptions {
  canIssueKeys: boolean;
  onNewHub: () => void;
  onShowKeys: () => void;
  onSignOut: () => void;
}

export function actionCommands({ me }: Workspace, options: ActionsOptions): Command[] {
  const { canIssueKeys, onNewHub, onShowKeys, onSignOut } = options;
  const action = (
    name: string,
    label: string,
    icon: ComponentChildren,
    run: () => void,
    ...aliases: string[]
  ): Command => ({ id: `action ${name}`, group: 'action', label, aliases, icon, run });
  const themes = [
    { value: 'system', label: 'Use the system theme', Icon: Monitor },
    { value: 'light', label: 'Use the light theme', Icon: Sun },
    { value: 'dark', label: 'Use the dark theme', Icon: Moon },
  ] as const;
  return [
    ...(me.value.role === 'member' ? [] : [action('new-hub', 'New Hub', <Plus />, onNewHub, 'Create Hub', 'Add Hub')]),
    ...(canIssueKeys
      ? [action('issue-key', 'Issue a key', <KeyRound />, () => openIssueKey(currentHubId()), 'New key', 'Create key')]
      : []),
    ...themes
      .filter(({ value }) => value !== theme.value)
      .map(({ value, label, Icon }) =>
        action(`theme-${value}`, label, <Icon />, () => chooseTheme(value), `${value} mode`),
      ),
    ...(hasScreenKeyboard() ? [] : [{ ...action('keys', 'Keyboard shortcuts', <Keyboard />, onShowKeys), keys: '?' }]),
    action('sign-out', 'Sign out', <LogOut />, onSignOut, 'Log out'),
  ];
}

/** Returns the actions that the row of the selected item offers. */
export function itemCommands(workspace: Workspace, selected: ReturnType<typeof selectedItem>): Command[] {
  if (!selected) return [];
  const { item, scope } = selected;
  if (item.kind !== 'message') {
    const of = { group: 'item' } as const;
    return [
      { ...of, id: 'item open', label: 'Open', icon: <SquareArrowOutUpRight />, run: () => openItem(item, scope) },
      { ...of, id: 'item link', label: 'Copy link', icon: <Link />, keys: 'y', run: () => copyLink(item) },
    ];
  }
  if (item.deletedAt !== null) return [];
  const tools: MenuItem[] = [
    { label: 'React', icon: <SmilePlus />, keys: 'e', run: () => openEmojiPicker(scope, item) },
    ...(scope.kind === 'thread'
      ? []
      : [{ label: 'Reply in thread', icon: <Reply />, keys: 'r', run: () => reply(item) }]),
    ...conversions(workspace, scope, item),
  ];
  return [...tools, ...menuOf(workspace, scope, item)].map(
    ({ label, icon, keys, run }): Command => ({ id: `message ${label}`, group: 'message', label, icon, keys, run }),
  );
}
