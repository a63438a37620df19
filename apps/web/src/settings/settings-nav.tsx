import { NavRow } from '../frame/nav-row.tsx';
import { route } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
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
      <Group title={name} sections={sections.filter(({ group }) => group === 'own')} current={shown} />
      <Group title={workspace.name} sections={sections.filter(({ group }) => group === 'workspace')} current={shown} />
    </div>
  );
}

function Group(props: { title: string; sections: readonly Section[]; current: Section | undefined }) {
  const { title, sections, current } = props;
  if (sections.length === 0) return null;
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
