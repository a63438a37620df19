import { describe, expect, test } from 'bun:test';
import { userActor } from '../actor.ts';
import { testAudit } from '../testing/store-records.ts';
import { type OpenStoreUnderTest, rejectsWith, storeSubject } from '../testing/store-subject.ts';
import { newInvitation, newLink, newUser } from '../testing/users-records.ts';
import type { UserRecord } from './users-store.ts';

/**
 * What every adapter promises of those who lose their rights while they use them: an account, a role or a link would
 * outlast them. Run it from a test file of the adapter.
 */
export function describeFormerAdmins(name: string, open: OpenStoreUnderTest): void {
  describe(`whoever is no admin any more, in the store on ${name}`, () => {
    const subject = storeSubject(open);
    const create = (over: Partial<UserRecord> = {}) => subject.users.create(newUser(over));
    const changeOf = ({ id }: UserRecord) => ({ personId: id, mayTouchOwners: true, audit: testAudit() });
    const leave: Record<string, (admin: UserRecord) => Promise<unknown>> = {
      disabled: (admin) => subject.users.disable({ ...changeOf(admin), at: 5 }),
      'made a member': (admin) => subject.users.change({ ...changeOf(admin), role: 'member' }),
    };
    /** Each deed of `actor` that outlasts him, upon somebody, giving this role. */
    const actionsOf = (actor: UserRecord, upon: UserRecord, role: 'admin' | 'owner') => {
      const audit = () => testAudit({ actor: userActor(actor) });
      const createdBy = userActor(actor);
      return {
        account: () => subject.users.create({ ...newUser({ role }), audit: audit() }),
        role: () => subject.users.change({ ...changeOf(upon), role, audit: audit() }),
        enabling: () => subject.users.enable({ ...changeOf(upon), audit: audit() }),
        invitation: () => subject.users.createLink(newInvitation('new@example.org', { role, createdBy })),
        reset: () => subject.users.createLink(newLink('password_reset', { personId: upon.id, createdBy })),
      };
    };

    test.each(Object.keys(leave))('and was %s a moment ago makes nobody anything', async (how) => {
      const [admin, member] = [await create({ role: 'admin' }), await create()];
      await leave[how]?.(admin);
      const entries = await subject.auditCount();
      for (const action of Object.values(actionsOf(admin, member, 'admin'))) await rejectsWith(action(), 'forbidden');
      expect(await subject.auditCount()).toBe(entries);
      expect(await subject.users.find(member.id)).toEqual(member);
    });

    test('and was an owner a moment ago makes no owner, and touches none', async () => {
      const [former, owner] = [await create({ role: 'owner' }), await create({ role: 'owner' })];
      const member = await create();
      await subject.users.change({ ...changeOf(former), role: 'admin' });
      const { account, role, invitation } = actionsOf(former, member, 'owner');
      const { enabling, reset } = actionsOf(former, owner, 'admin');
      for (const action of [account, role, invitation, enabling, reset]) await rejectsWith(action(), 'forbidden');
    });

    test('is told from who still is one', async () => {
      const [admin, owner, member] = [await create({ role: 'admin' }), await create({ role: 'owner' }), await create()];
      for (const action of Object.values(actionsOf(admin, member, 'admin'))) await action();
      for (const action of Object.values(actionsOf(owner, member, 'owner'))) await action();
      expect((await subject.users.find(member.id))?.role).toBe('owner');
    });
  });
}
