import type { AvatarRef } from '@hub/contract';
import { request } from '../../api/request.ts';
import { Avatar } from '../../avatars/avatar.tsx';
import { avatarOf, BOT, noteAvatar } from '../../avatars/avatars.ts';
import { toast } from '../../ui/toast.tsx';
import { AvatarField } from './avatar-field.tsx';

/** The picture of the bot, for admins. `name`: what the bot is called. */
export function BotAvatarField({ name }: { name: string }) {
  return (
    <AvatarField
      label="Picture of the bot"
      shape="square"
      src={avatarOf(BOT)}
      help="It stands beside every post of a key. Without one, each key has the first letters of its name."
      onPick={async (avatar) => {
        const chosen = await request<AvatarRef>('PUT', '/workspace/bot-picture', { body: avatar });
        noteAvatar(chosen, chosen.version);
        toast('The picture of the bot is changed.');
      }}
      onRemove={async () => {
        noteAvatar(await request<AvatarRef>('DELETE', '/workspace/bot-picture'), null);
        toast('The picture of the bot is removed.');
      }}
    >
      <Avatar id={BOT} name={name} kind="key" size="xl" />
    </AvatarField>
  );
}
