import { useWorkspace } from '../../workspace/workspace.ts';

/** Selects Hubs. */
export function HubChoice(props: { chosen: readonly string[]; onChoose: (hubIds: readonly string[]) => void }) {
  const { chosen, onChoose } = props;
  const { hubs } = useWorkspace();
  const all = hubs.all.value.toSorted((one, other) => one.name.localeCompare(other.name));
  if (all.length === 0) return null;
  return (
    <fieldset class="options">
      <legend>
        Hubs{' '}
        <span class="help">
          {chosen.length === 0 ? 'None yet; you can add them later' : `${chosen.length} selected`}
        </span>
      </legend>
      <div class="choices-list" role="group" aria-label="Hubs">
        {all.map(({ id, name }) => (
          <label key={id} class="optline">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget }) =>
                onChoose(currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
