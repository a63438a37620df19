import { NotFound } from '../frame/not-found.tsx';
import { PageBar } from '../frame/page-bar.tsx';
import { isNarrow } from '../frame/widths.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { findSection } from './sections.ts';
import { SettingsBar, SettingsList } from './settings-list.tsx';

/** One section of the settings. `name` as in its address; without it the first, or the list of all where that stands at no side. */
export function SettingsPage({ name }: { name?: string }) {
  const section = findSection(name, useWorkspace().me.value.role);
  if (name === undefined && isNarrow.value) return <SettingsList />;
  if (!section) return findSection(name, 'owner') ? <ForAdmins /> : <NotFound />;
  return (
    <main class="main" id="main">
      <SettingsBar to="/settings" label="All settings" />
      <div class="settings" tabIndex={0} role="region" aria-label={section.title}>
        <section.Page />
      </div>
    </main>
  );
}

function ForAdmins() {
  return (
    <main class="main" id="main">
      <PageBar title="For admins" />
      <div class="empty">
        <p>Admins manage this part of the workspace. Ask one of them to change it for you.</p>
      </div>
    </main>
  );
}
