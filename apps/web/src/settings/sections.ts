import Bell from 'icon:bell';
import CircleDot from 'icon:circle-dot';
import KeyRound from 'icon:key-round';
import Monitor from 'icon:monitor';
import ScrollText from 'icon:scroll-text';
import SlidersHorizontal from 'icon:sliders-horizontal';
import SunMoon from 'icon:sun-moon';
import Terminal from 'icon:terminal';
import User from 'icon:user';
import Users from 'icon:users';
import type { Role } from '@hub/contract';
import type { ComponentType } from 'preact';
import { lazy } from '../ui/lazy.tsx';

export interface Section {
  /** The last segment of its path: /settings/<name>. */
  name: string;
  title: string;
  icon: typeof User;
  /** Whether the section belongs to the user or to the whole workspace. */
  group: 'own' | 'workspace';
  isForAdmins?: boolean;
  Page: ComponentType;
}

/** Loads the code of a section when it is opened. */
const section = (load: () => Promise<ComponentType>): ComponentType => lazy(load, { isPage: true, isRare: true });

/** All sections in display order. /settings opens the first one. */
const SECTIONS: readonly Section[] = [
  {
    name: 'profile',
    title: 'Profile and password',
    icon: User,
    group: 'own',
    Page: section(async () => (await import('./own/profile-page.tsx')).ProfilePage),
  },
  {
    name: 'appearance',
    title: 'Appearance',
    icon: SunMoon,
    group: 'own',
    Page: section(async () => (await import('./own/appearance-page.tsx')).AppearancePage),
  },
  {
    name: 'notices',
    title: 'Notifications',
    icon: Bell,
    group: 'own',
    Page: section(async () => (await import('./notifications/notifications-page.tsx')).NotificationsPage),
  },
  {
    name: 'sessions',
    title: 'Sessions',
    icon: Monitor,
    group: 'own',
    Page: section(async () => (await import('./own/sessions-page.tsx')).SessionsPage),
  },
  {
    name: 'tokens',
    title: 'Access tokens',
    icon: Terminal,
    group: 'own',
    Page: section(async () => (await import('./own/tokens-page.tsx')).TokensPage),
  },
  {
    name: 'general',
    title: 'General',
    icon: SlidersHorizontal,
    group: 'workspace',
    isForAdmins: true,
    Page: section(async () => (await import('./workspace/general-page.tsx')).GeneralPage),
  },
  {
    name: 'members',
    title: 'Members',
    icon: Users,
    group: 'workspace',
    Page: section(async () => (await import('./members/members-page.tsx')).MembersPage),
  },
  {
    name: 'hubs',
    title: 'Hubs',
    icon: CircleDot,
    group: 'workspace',
    Page: section(async () => (await import('./hubs/hubs-page.tsx')).HubsPage),
  },
  {
    name: 'keys',
    title: 'API keys',
    icon: KeyRound,
    group: 'workspace',
    Page: section(async () => (await import('./keys/keys-page.tsx')).KeysPage),
  },
  {
    name: 'audit',
    title: 'Audit log',
    icon: ScrollText,
    group: 'workspace',
    isForAdmins: true,
    Page: section(async () => (await import('./workspace/audit-page.tsx')).AuditPage),
  },
];

/** Returns the sections that this role may open. */
export function sectionsFor(role: Role): readonly Section[] {
  return SECTIONS.filter(({ isForAdmins = false }) => !isForAdmins || role !== 'member');
}

/** Returns the section with this name, or the first one if there is no name. */
export function findSection(name: string | undefined, role: Role): Section | undefined {
  const sections = sectionsFor(role);
  return name === undefined ? sections[0] : sections.find((section) => section.name === name);
}
