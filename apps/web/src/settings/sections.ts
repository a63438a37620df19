import Bell from 'icon:bell';
import Monitor from 'icon:monitor';
import SunMoon from 'icon:sun-moon';
import User from 'icon:user';
import type { Role } from '@hub/contract';
import type { ComponentType } from 'preact';
import { later } from '../ui/later.tsx';

export interface Section {
  /** The last part of its address: /settings/<name>. */
  name: string;
  title: string;
  icon: typeof User;
  /** What concerns oneself alone, or the whole workspace. */
  group: 'own' | 'workspace';
  isForAdmins?: boolean;
  Page: ComponentType;
}

/** The code of a section is loaded when it is opened. */
const section = (load: () => Promise<ComponentType>): ComponentType => later(load, { isPage: true, isRare: true });

/** Every page of the settings, in the order of the list. The first is where /settings leads. */
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
    title: 'Notices',
    icon: Bell,
    group: 'own',
    Page: section(async () => (await import('./notices/notices-page.tsx')).NoticesPage),
  },
  {
    name: 'sessions',
    title: 'Sessions',
    icon: Monitor,
    group: 'own',
    Page: section(async () => (await import('./own/sessions-page.tsx')).SessionsPage),
  },
];

/** The sections that somebody with this role may open. */
export function sectionsFor(role: Role): readonly Section[] {
  return SECTIONS.filter(({ isForAdmins = false }) => !isForAdmins || role !== 'member');
}

/** The section with this name, the first of all without one. */
export function findSection(name: string | undefined, role: Role): Section | undefined {
  const sections = sectionsFor(role);
  return name === undefined ? sections[0] : sections.find((section) => section.name === name);
}
