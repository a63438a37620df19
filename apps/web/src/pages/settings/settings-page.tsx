import type { Role } from '@hub/contract';
import {
  ArrowLeft,
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
import { useWorkspace } from '../../data/live/workspace.ts';
import { route } from '../../lib/router/location.ts';
import { isNarrow } from '../../lib/widths.ts';
import { PageBody } from '../../ui/forms/page-body.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { EmptyState } from '../../ui/page/load-states.tsx';
import { lastPage, NavRow, Page } from '../../ui/page/navigation.tsx';
import { NotFound, ToStream } from '../fallback/fallback-pages.tsx';

/** A section of the settings. Without a name: the first one, or the list in narrow windows. */
export function SettingsPage({ name }: { name?: string }) {
  const { role } = useWorkspace().me.value;
  const section = findSection(name, role);
  if (name === undefined && isNarrow.value) return <SectionList />;
  if (!section) return findSection(name, 'owner') ? <AdminsOnly /> : <NotFound />;
  return (
    <main class="main" id="main">
      <SettingsBar to="/settings" label="All settings" />
      <div class="settings" tabIndex={0} role="region" aria-label={section.title}>
        <section.Page />
      </div>
    </main>
  );
}

function SectionList() {
  return (
    <main class="main" id="main">
      <SettingsBar to={lastPage.value} label="Close settings" isHead />
      <nav class="settings settings-list" aria-label="Sections">
        <SettingsNav isPage />
      </nav>
    </main>
  );
}

/** The bar with the back link above a settings page that fills the window. */
function SettingsBar({ to, label, isHead = false }: { to: string; label: string; isHead?: boolean }) {
  const Title = isHead ? 'h1' : 'p';
  return (
    <header class="bar menu-bar">
      <a class="icon-btn menu-open" href={to} aria-label={label}>
        <ArrowLeft size="m" />
      </a>
      <Title class="bar-title">
        <span>Settings</span>
      </Title>
    </header>
  );
}

function AdminsOnly() {
  return (
    <Page title="Admins only">
      <EmptyState text="Only admins can open these settings. Ask one of them to make changes.">
        <ToStream />
      </EmptyState>
    </Page>
  );
}

/** Links to the settings sections of the user and of the workspace. `isPage`: no section is open. */
export function SettingsNav({ isPage = false }: { isPage?: boolean }) {
  const { me } = useWorkspace();
  const { name, role, workspace } = me.value;
  const [, , current] = route.value.path.split('/');
  const section = isPage ? undefined : findSection(current, role);
  const sections = sectionsFor(role);
  return (
    <div class={isPage ? undefined : 'side-scroll'}>
      <Group title={name} sections={sections.own} current={section} />
      <Group title={workspace.name} sections={sections.workspace} current={section} />
    </div>
  );
}

function Group(props: { title: string; sections: readonly Section[]; current: Section | undefined }) {
  const { title, sections, current } = props;
  return (
    <>
      <h2 class="side-label">{title}</h2>
      {sections.map((section) => (
        <NavRow key={section.name} to={`/settings/${section.name}`} isCurrent={section === current}>
          <section.icon size="m" />
          <span class="grow">{section.title}</span>
        </NavRow>
      ))}
    </>
  );
}

/** A page of the settings. Its path is /settings/<name>. */
interface Section {
  name: string;
  title: string;
  /** Other names by which the command palette finds it. */
  aliases: readonly string[];
  icon: typeof User;
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
  Page: lazy(load, {
    isPage: true,
    isRare: true,
    around: (_, instead) => <PageBody title={title}>{instead}</PageBody>,
  }),
  isForAdmins,
});

/** The sections of the user. /settings opens the first one. */
const OWN: readonly Section[] = [
  section('profile', 'Profile and password', User, async () => (await import('./own/profile-page.tsx')).ProfilePage),
  section('appearance', 'Appearance', SunMoon, async () => (await import('./own/profile-page.tsx')).AppearancePage),
  section('notifications', 'Notifications', Bell, async () => {
    return (await import('./notifications/notifications-page.tsx')).NotificationsPage;
  }),
  section('sessions', 'Sessions', Monitor, async () => (await import('./own/sessions-page.tsx')).SessionsPage),
  section('tokens', 'Access tokens', Terminal, async () => (await import('./own/tokens-page.tsx')).TokensPage),
];

/** Opened from `hubctl login`, and not listed. */
const DEVICE = section('device', 'Log in a device', Terminal, async () => {
  return (await import('./own/device-page.tsx')).DevicePage;
});

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
function findSection(name: string | undefined, role: Role): Section | undefined {
  const { own, workspace } = sectionsFor(role);
  return name === undefined ? own[0] : [...own, ...workspace, DEVICE].find((section) => section.name === name);
}
