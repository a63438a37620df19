import { useWorkspace } from '../../data/live/workspace.ts';

interface DuplicateNameProps {
  /** The id of this message, for the name field's `aria-describedby`. */
  id: string;
  name: string;
  /** The Hub to rename; undefined for a new one. */
  hubId?: string;
}

/** Warns that another Hub has this name. This is allowed, but usually a mistake. */
export function DuplicateName({ id, name, hubId }: DuplicateNameProps) {
  const { hubs } = useWorkspace();
  const wanted = name.trim();
  const isTaken = hubs.all.value.some((hub) => hub.name === wanted && hub.id !== hubId && hub.deletedAt === null);
  return (
    <p class="help" id={id} role="status">
      {isTaken && 'A Hub with this name already exists.'}
    </p>
  );
}
