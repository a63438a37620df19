import { useWorkspace } from '../../data/live/workspace.ts';
import { route } from '../../lib/router/location.ts';
import { NavRow } from '../../ui/page/navigation.tsx';
import { findSection, type Section, sectionsFor } from './sections.ts';

/**
 * Links to the settings sections: those of the user, then those of the workspace. `isPage`: shown without an open
 * section.
 */
export function SettingsNav({ isPage = false }: { isPage?: boolean }) {
  const { me } = useWorkspace();
  const { name, role, workspace } = me.value;
  const [, , current] = route.value.path.split('/');
  const shown = isPage ? undefined : findSection(current, role);
  const sections = sectionsFor(role);
  return (
    <div class={isPage ? undefined : 'side-scroll'}>
      <Group title={name} sections={sections.own} current={shown} />
      <Group title={workspace.name} sections={sections.workspace} current={shown} />
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
