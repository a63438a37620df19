import { LIMITS } from '@hub/contract/limits';
import { normalizeName } from '@hub/contract/normalize-name';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { navigate } from '../../lib/router/location.ts';
import { FormDialog, TextField, useText } from '../../ui/forms/form.tsx';

export function NewHubDialog({ onClose }: { onClose: () => void }) {
  const { hubs } = useWorkspace();
  return (
    <NameDialog
      id="new-hub-name"
      title="New Hub"
      description="A place for one team, product or kind of alert. You’ll be its first member."
      submitLabel="Create Hub"
      placeholder="Releases"
      maxLength={LIMITS.hubNameCodePoints}
      remark={(name) => <DuplicateName name={name} />}
      onSave={async (name) => {
        const { id } = await request('POST /hubs', { body: { name } });
        await hubs.load();
        onClose();
        navigate(`/hubs/${id}`);
      }}
      onClose={onClose}
    />
  );
}

/** Warns that a live Hub has this name, before the server rejects it. */
export function DuplicateName({ name, hubId }: { name: string; hubId?: string }) {
  const { hubs } = useWorkspace();
  const ownName = normalizeName(name);
  const isTaken = hubs.all.value.some(
    (hub) => normalizeName(hub.name) === ownName && hub.id !== hubId && hub.deletedAt === null,
  );
  return <>{isTaken && 'A Hub with this name already exists.'}</>;
}

interface NameDialogProps
  extends Pick<ComponentProps<typeof FormDialog>, 'title' | 'description' | 'submitLabel' | 'givesSecret' | 'onClose'>,
    Pick<ComponentProps<typeof TextField>, 'id' | 'help' | 'maxLength' | 'placeholder'> {
  saved?: string;
  remark?: (name: string) => ComponentChildren;
  onSave: (name: string) => Promise<unknown>;
}

export function NameDialog(props: NameDialogProps) {
  const { title, description, submitLabel, givesSecret = false, onClose, saved = '', remark, onSave, ...field } = props;
  const text = useText(saved);
  const name = text.value.trim();
  const save = async () => {
    if (name === '') throw new Error('Enter a name.');
    await onSave(name);
  };
  return (
    <FormDialog {...{ title, description, submitLabel, givesSecret, onClose }} onSubmit={save}>
      {(error) => <TextField {...field} label="Name" autofocus error={error} remark={remark?.(text.value)} {...text} />}
    </FormDialog>
  );
}
