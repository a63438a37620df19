import ArrowLeft from 'icon:arrow-left';
import { lastPage } from '../frame/last-page.ts';
import { SettingsNav } from './settings-nav.tsx';

/** The list of sections as its own page, for windows too narrow for a sidebar. */
export function SettingsList() {
  return (
    <main class="main" id="main">
      <SettingsBar to={lastPage.value} label="Close settings" isHead />
      <nav class="settings settings-list" aria-label="Sections">
        <SettingsNav isPage />
      </nav>
    </main>
  );
}

interface SettingsBarProps {
  to: string;
  label: string;
  isHead?: boolean;
}

/** The bar with the back link above a settings page that fills the window. */
export function SettingsBar({ to, label, isHead = false }: SettingsBarProps) {
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
