import type { ApiKey } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { request } from '../../../data/request.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog, TextField, useText } from '../../../ui/forms/form.tsx';
import { Fact } from '../../../ui/forms/table.tsx';

interface KeyNotesProps extends Pick<ApiKey, 'id' | 'name' | 'description' | 'link'> {
  /** Absent if the reader may not change them. */
  onChanged?: ((key: ApiKey) => void) | undefined;
}

/** The description of a key and its link, such as that of a runbook, in a list of facts. */
export function KeyNotes({ onChanged, ...key }: KeyNotesProps) {
  const [isEditing, setEditing] = useState(false);
  const { description, link } = key;
  return (
    <>
      {description !== null && <Fact name="About" value={<bdi>{description}</bdi>} />}
      {link !== null && (
        <Fact
          name="Link"
          value={
            <a class="link" href={link} target="_blank" rel="noopener noreferrer nofollow">
              {link}
            </a>
          }
        />
      )}
      {onChanged && (
        <Fact
          name={description === null && link === null ? 'About' : ''}
          value={
            <Button
              variant="is-bare is-small"
              label={description === null && link === null ? 'Add a description or link' : 'Edit description and link'}
              onClick={() => setEditing(true)}
            />
          }
        />
      )}
      {isEditing && onChanged && <NotesDialog {...key} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </>
  );
}

function NotesDialog({ id, name, onChanged, onClose, ...notes }: Required<KeyNotesProps> & { onClose: () => void }) {
  const description = useText(notes.description ?? '');
  const link = useText(notes.link ?? '');
  const save = async () => {
    const body = { description: description.value, link: link.value };
    onChanged?.(await request('PATCH /keys/{keyId}', { keyId: id, body }));
    onClose();
  };
  return (
    <FormDialog
      title={`About ${name}`}
      description="All members of its Hub can see this with each of its posts."
      submitLabel="Save"
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Description"
        autofocus
        maxLength={LIMITS.keyDescriptionCodePoints}
        placeholder="Backs up the database every night"
        {...description}
      />
      <TextField
        label="Link"
        help="Such as a runbook."
        spellcheck={false}
        maxLength={LIMITS.keyLinkCodePoints}
        placeholder="https://"
        {...link}
      />
    </FormDialog>
  );
}
