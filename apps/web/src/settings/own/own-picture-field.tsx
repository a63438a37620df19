import type { PictureRef } from '@hub/contract';
import { request } from '../../api/request.ts';
import { Face } from '../../faces/face.tsx';
import { notePicture, pictureOf } from '../../faces/pictures.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { PictureField } from './picture-field.tsx';

/** One's own picture. */
export function OwnPictureField() {
  const { id, name } = useWorkspace().me.value;
  return (
    <PictureField
      label="Picture"
      src={pictureOf(id)}
      help="For those who share a Hub with you. It is cut to a square here, and only its pixels are sent."
      onPick={async (picture) => {
        const chosen = await request<PictureRef>('PUT', '/me/picture', { body: picture });
        notePicture(chosen, chosen.version);
        toast('Your picture is changed.');
      }}
      onRemove={async () => {
        notePicture(await request<PictureRef>('DELETE', '/me/picture'), null);
        toast('Your picture is removed.');
      }}
    >
      <Face id={id} name={name} kind="person" size="xl" />
    </PictureField>
  );
}
