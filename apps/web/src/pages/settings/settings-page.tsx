import { ArrowLeft } from 'icons';
import { useLayoutEffect } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { isNarrow } from '../../lib/widths.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { lastPage, NavRow } from '../../ui/page/navigation.tsx';
import { PageBar } from '../../ui/page/page-bar.tsx';
import { NotFound, ToStream } from '../fallback/fallback-pages.tsx';
import { findSection, type Section, sectionsFor } from './sections.ts';

/** Sections that had another name, which links in messages and test notifications may still use. */
const MOVED: ReadonlyMap<string | undefined, string> = new Map([['notices', 'notifications']]);

/** A section of the settings. Without a name: the first one, or the list in narrow windows. */
export function SettingsPage({ name }: { name?: string }) {
  const { role } = useWorkspace().me.value;
  const moved = MOVED.get(name);
  useLayoutEffect(() => {
    if (moved !== undefined) navigate(`/settings/${moved}`, { replace: true });
  }, [moved]);
  if (moved !== undefined) return null;
  const section = findSection(name, role);
  if (name === undefined && isNarrow.value) return <SettingsList />;
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

/** The list of sections as its own page, for windows too narrow for a sidebar. */
function SettingsList() {
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
    <main class="main" id="main">
      <PageBar title="Admins only" />
      <EmptyState text="Only admins can open these settings. Ask one of them to make changes.">
        <ToStream />
      </EmptyState>
    </main>
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
