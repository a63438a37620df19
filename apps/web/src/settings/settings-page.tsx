import { MenuButton } from '../frame/menu-button.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { PageBar } from '../frame/page-bar.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { findSection } from './sections.ts';

/** One section of the settings. `name` as in its address; without it the first. */
export function SettingsPage({ name }: { name?: string }) {
  const section = findSection(name, useWorkspace().me.value.role);
  if (!section) return findSection(name, 'owner') ? <ForAdmins /> : <NotFound />;
  return (
    <main class="main" id="main">
      <header class="bar menu-bar">
        <p class="bar-title">
          <MenuButton opens="All settings" />
          <span>Settings</span>
        </p>
      </header>
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
