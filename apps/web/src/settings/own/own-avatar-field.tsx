import type { AvatarRef } from '@hub/contract';
import { request } from '../../api/request.ts';
import { Avatar } from '../../avatars/avatar.tsx';
import { avatarOf, noteAvatar } from '../../avatars/avatars.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { AvatarField } from './avatar-field.tsx';

/** One's own picture. */
export function OwnAvatarField() {
  const { id, name } = useWorkspace().me.value;
  return (
    <AvatarField
      label="Picture"
      src={avatarOf(id)}
      help="For those who share a Hub with you. It is cut to a square here, and only its pixels are sent."
      onPick={async (avatar) => {
        const chosen = await request<AvatarRef>('PUT', '/me/picture', { body: avatar });
        noteAvatar(chosen, chosen.version);
        toast('Your picture is changed.');
      }}
      onRemove={async () => {
        noteAvatar(await request<AvatarRef>('DELETE', '/me/picture'), null);
        toast('Your picture is removed.');
      }}
    >
      <Avatar id={id} name={name} kind="person" size="xl" />
    </AvatarField>
  );
}
