import { Avatar } from '../../avatars/avatar.tsx';
import { avatarOf, updateAvatar } from '../../avatars/avatars.ts';
import { request } from '../../data/request.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { AvatarField } from './avatar-field.tsx';

/** The user's own avatar. */
export function OwnAvatarField() {
  const { id, name } = useWorkspace().me.value;
  return (
    <AvatarField
      label="Avatar"
      src={avatarOf(id)}
      help="Visible to members of your Hubs. Cropped to a square; metadata removed."
      onPick={async (avatar) => {
        const chosen = await request('PUT /me/picture', { body: avatar });
        updateAvatar(chosen, chosen.version);
        toast('Avatar saved.');
      }}
      onRemove={async () => {
        updateAvatar(await request('DELETE /me/picture'), null);
        toast('Avatar removed.');
      }}
    >
      <Avatar id={id} name={name} kind="person" size="xl" />
    </AvatarField>
  );
}
