import type { IssuedInvitation, IssuedLink, Me } from '@hub/contract';
import type { Ask, ExampleRecorder } from './example-recorder.ts';
import { ADA, LAPTOP, type Owner, PHONE, secretOf } from './workspace-fixture.ts';

/** The owner, and a member of the same Hub. */
export interface Team extends Owner {
  readonly bob: Ask;
  readonly bobId: string;
}

export async function inviteUsers(recorder: ExampleRecorder, owner: Owner): Promise<Team> {
  const { ada, hubId } = owner;
  const body = { role: 'member', hubIds: [hubId] };
  const mistyped = await ada<IssuedInvitation>('invitePerson', {
    body: { email: 'bop@example.org', ...body },
    isAside: true,
  });
  const invitation = await ada<IssuedInvitation>('invitePerson', { body: { email: 'bob@example.org', ...body } });
  await ada('listInvitations');
  await ada('withdrawInvitation', { path: { invitationId: mistyped.id } });
  const bob = recorder.browser(LAPTOP);
  const token = secretOf(invitation);
  await bob('inspectLink', { body: { token } });
  const { id: bobId } = await bob<Me>('redeemLink', {
    body: { token, name: 'Bob Kahn', password: 'in the year of the packet' },
    name: 'invitation',
    summary: 'Accept an invitation',
  });
  return { ...owner, bob, bobId };
}

/** Records how an admin creates an account without an invitation, changes it, and disables and enables it. */
export async function manageUsers(recorder: ExampleRecorder, { ada }: Owner): Promise<void> {
  const { id: personId } = await ada('createPerson', {
    body: { email: 'grace@example.org', name: 'Grace Hoper', role: 'member', password: 'a moth in relay seventy' },
  });
  await ada('confirmSession', { body: { password: ADA.password } });
  await ada('changePerson', { path: { personId }, body: { name: 'Grace Hopper', role: 'admin' } });
  const reset = await ada<IssuedLink>('resetPassword', { path: { personId } });
  await recorder.browser(PHONE)('redeemLink', {
    body: { token: secretOf(reset), password: 'ships are safe in harbour' },
    name: 'reset',
    summary: 'Reset a password',
  });
  await ada('showPerson', { path: { personId } });
  await ada('disablePerson', { path: { personId } });
  await ada('enablePerson', { path: { personId } });
  await ada('listPeople', { query: { limit: 20 } });
}

/** Records the keys and to-dos of a current member. */
export async function recordHoldings({ ada, bobId }: Team): Promise<void> {
  await ada('listHoldings', { path: { personId: bobId } });
}
