import type { Session } from '@hub/contract';
import { pngOf } from '../avatars.ts';
import type { ExampleRecorder } from './example-recorder.ts';
import type { Team } from './users-fixture.ts';
import { ADA, PHONE } from './workspace-fixture.ts';

/** Records what users can do with their own account. */
export async function recordAccount(recorder: ExampleRecorder, { ada }: Team): Promise<void> {
  await ada('showMe');
  await ada('showSignedIn');
  await ada('changeMe', { body: { name: 'Ada King' } });
  const avatar = pngOf({ width: 16, height: 16 });
  await ada('setPicture', { avatar });
  await ada('setBotPicture', { avatar });
  await ada('listPictures');
  await ada('removePicture');
  await ada('removeBotPicture');
  const { email, password } = ADA;
  const phone = recorder.browser(PHONE);
  await phone('signIn', { body: { email, password } });
  const { items } = await ada<{ items: Session[] }>('listSessions');
  const other = items.find(({ isCurrent }) => !isCurrent);
  if (!other) throw new Error('Ada has no session besides the current one');
  await ada('endSession', { path: { sessionId: other.id } });

  const token = await ada('createToken', { body: { name: 'hubctl on my laptop', lifetimeSeconds: 7_776_000 } });
  await ada('listTokens');
  await ada('revokeToken', { path: { tokenId: token.id } });
  await ada('changePassword', { body: { currentPassword: password, newPassword: 'notes by the translator, G' } });
  await ada('signOut');
}
