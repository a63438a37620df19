import type { Role } from '@hub/contract';
import {
  Bell,
  CircleDot,
  KeyRound,
  Monitor,
  ScrollText,
  SlidersHorizontal,
  SunMoon,
  Terminal,
  User,
  Users,
} from 'icons';
import type { ComponentType } from 'preact';
import { lazy } from '../../ui/page/lazy.tsx';

/** A page of the settings. Its path is /settings/<name>. */
export interface Section {
  name: string;
  title: string;
  /** Other names by which the command palette finds it. */
  aliases: readonly string[];
  icon: typeof User;
  /** The code of the page, loaded when it is opened. */
  Page: ComponentType;
  isForAdmins?: boolean;
}

type Load = () => Promise<ComponentType>;

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  profile: ['My name', 'Picture', 'E-mail address'],
  appearance: ['Theme', 'Dark mode'],
  notifications: ['Mute', 'Quiet hours', 'Do not disturb'],
  sessions: ['Devices'],
  tokens: ['Personal access tokens'],
  general: ['Workspace'],
  members: ['Invite', 'Users', 'Add member', 'Disable account'],
  keys: ['Webhooks', 'Rotate', 'Revoke', 'Replace'],
};

const section = (name: string, title: string, icon: typeof User, load: Load, isForAdmins = false): Section => ({
  name,
  title,
  aliases: ALIASES[name] ?? [],
  icon,
  Page: lazy(load, { isPage: true, isRare: true }),
  isForAdmins,
});

/** The sections of the user. /settings opens the first one. */
const OWN: readonly Section[] = [
  section('profile', 'Profile and password', User, async () => (await import('./own/profile-page.tsx')).ProfilePage),
  section('appearance', 'Appearance', SunMoon, async () => (await import('./own/appearance-page.tsx')).AppearancePage),
  section('notifications', 'Notifications', Bell, async () => {
    return (await import('./notifications/notifications-page.tsx')).NotificationsPage;
  }),
  section('sessions', 'Sessions', Monitor, async () => (await import('./own/sessions-page.tsx')).SessionsPage),
  section('tokens', 'Access tokens', Terminal, async () => (await import('./own/tokens-page.tsx')).TokensPage),
];

/** The sections of the workspace. */
const WORKSPACE: readonly Section[] = [
  section(
    'general',
    'General',
    SlidersHorizontal,
    async () => (await import('./workspace/general-page.tsx')).GeneralPage,
    true,
  ),
  section('members', 'Members', Users, async () => (await import('./members/members-page.tsx')).MembersPage),
  section('hubs', 'Hubs', CircleDot, async () => (await import('./hubs/hubs-page.tsx')).HubsPage),
  section('keys', 'API keys', KeyRound, async () => (await import('./keys/keys-page.tsx')).KeysPage),
  section('audit', 'Audit log', ScrollText, async () => (await import('./workspace/audit-page.tsx')).AuditPage, true),
];

/** Returns the sections that this role may open: those of the user and those of the workspace. */
export function sectionsFor(role: Role): { own: readonly Section[]; workspace: readonly Section[] } {
  return { own: OWN, workspace: WORKSPACE.filter(({ isForAdmins }) => !isForAdmins || role !== 'member') };
}

/** Returns the section with this name, or the first one if there is no name. */
export function findSection(name: string | undefined, role: Role): Section | undefined {
  const { own, workspace } = sectionsFor(role);
  return name === undefined ? own[0] : [...own, ...workspace].find((section) => section.name === name);
}
