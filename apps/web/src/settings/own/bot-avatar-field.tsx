import { Avatar } from '../../avatars/avatar.tsx';
import { avatarOf, BOT, updateAvatar } from '../../avatars/avatars.ts';
import { request } from '../../data/request.ts';
import { toast } from '../../ui/toast.tsx';
import { AvatarField } from './avatar-field.tsx';

/** The avatar of the bot, for admins. `name` is the name of the bot. */
export function BotAvatarField({ name }: { name: string }) {
  return (
    <AvatarField
      label="Bot avatar"
      shape="square"
      src={avatarOf(BOT)}
      help="Shown next to posts made with a key. If you don’t set an avatar, each key shows its initials."
      onPick={async (avatar) => {
        const chosen = await request('PUT /workspace/bot-picture', { body: avatar });
        updateAvatar(chosen, chosen.version);
        toast('Bot avatar saved.');
      }}
      onRemove={async () => {
        updateAvatar(await request('DELETE /workspace/bot-picture'), null);
        toast('Bot avatar removed.');
      }}
    >
      <Avatar id={BOT} name={name} kind="key" size="xl" />
    </AvatarField>
  );
}
