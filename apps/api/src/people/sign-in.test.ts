import { describe, expect, test } from 'bun:test';
import { createPerson, signIn, tokenOf } from '../testing/people.ts';
import { startTestHub } from '../testing/start-test-hub.ts';

describe('signing in', () => {
  test('works with a session and a token', async () => {
    await using hub = await startTestHub();
    const ada = await createPerson(hub);
    const session = await signIn(hub, ada);
    expect(await session.json('GET', '/me')).toMatchObject({ status: 200, body: { id: ada.id } });
    const token = await tokenOf(hub, ada);
    expect(await token.json('GET', '/me')).toMatchObject({ status: 200, body: { id: ada.id } });
  });
});
