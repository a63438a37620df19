import ArrowLeft from 'icon:arrow-left';
import { lastPlace } from '../frame/last-place.ts';
import { SettingsNav } from './settings-nav.tsx';

/** Where the list has no room at the side, it is a page of its own: a section is one press away, and so is the way back. */
export function SettingsList() {
  return (
    <main class="main" id="main">
      <SettingsBar to={lastPlace.value} label="Back from the settings" isHead />
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

/** The way back, over a page of the settings that fills the window. */
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
