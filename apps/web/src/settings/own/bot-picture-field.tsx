import type { PictureRef } from '@hub/contract';
import { request } from '../../api/request.ts';
import { Face } from '../../faces/face.tsx';
import { BOT, notePicture, pictureOf } from '../../faces/pictures.ts';
import { toast } from '../../ui/toast.tsx';
import { PictureField } from './picture-field.tsx';

/** The picture of the bot, for admins. `name`: what the bot is called. */
export function BotPictureField({ name }: { name: string }) {
  return (
    <PictureField
      label="Picture of the bot"
      shape="square"
      src={pictureOf(BOT)}
      help="It stands beside every post of a key. Without one, each key has the first letters of its name."
      onPick={async (picture) => {
        const chosen = await request<PictureRef>('PUT', '/workspace/bot-picture', { body: picture });
        notePicture(chosen, chosen.version);
        toast('The picture of the bot is changed.');
      }}
      onRemove={async () => {
        notePicture(await request<PictureRef>('DELETE', '/workspace/bot-picture'), null);
        toast('The picture of the bot is removed.');
      }}
    >
      <Face id={BOT} name={name} kind="key" size="xl" />
    </PictureField>
  );
}
