import { NotFound } from '../frame/not-found.tsx';
import { PageBar } from '../frame/page-bar.tsx';
import { isNarrow } from '../frame/widths.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { findSection } from './sections.ts';
import { SettingsBar, SettingsList } from './settings-list.tsx';

/**
 * One settings section. `name` comes from the path; without it, shows the first section, or the list in narrow windows.
 */
export function SettingsPage({ name }: { name?: string }) {
  const section = findSection(name, useWorkspace().me.value.role);
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

function AdminsOnly() {
  return (
    <main class="main" id="main">
      <PageBar title="Admins only" />
      <div class="empty">
        <p>Only admins can open these settings. Ask one of them to make changes.</p>
      </div>
    </main>
  );
}
