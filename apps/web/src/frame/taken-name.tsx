import { useWorkspace } from '../workspace/workspace.ts';

interface TakenNameProps {
  /** What the field for the name is described by. */
  id: string;
  name: string;
  /** The Hub that is named, if it is there already. */
  hubId?: string;
}

/** That another Hub has this name, which nobody is kept from: whoever has two of one name has mostly forgotten the first. */
export function TakenName({ id, name, hubId }: TakenNameProps) {
  const { hubs } = useWorkspace();
  const wanted = name.trim();
  const isTaken = hubs.all.value.some((hub) => hub.name === wanted && hub.id !== hubId && hub.deletedAt === null);
  return (
    <p class="help" id={id} role="status">
      {isTaken && 'Another Hub has this name. Two of one name are easily taken for each other.'}
    </p>
  );
}
