import { describe, expect, test } from 'bun:test';
import { userActor } from '../actor.ts';
import { testAudit } from '../testing/store-records.ts';
import { type OpenStoreUnderTest, rejectsWith, storeSubject } from '../testing/store-subject.ts';
import { newInvitation, newLink, newUser } from '../testing/users-records.ts';
import type { UserRecord } from './users-store.ts';

/**
 * Describes what every adapter promises about users who lose their rights while a write is waiting: the write must be
 * rejected, since the accounts, roles and links that it creates would outlast those rights. Call this from the
 * adapter's test file.
 */
export function describeFormerAdmins(name: string, open: OpenStoreUnderTest): void {
  describe(`former admins in the store on ${name}`, () => {
    const subject = storeSubject(open);
    const create = (over: Partial<UserRecord> = {}) => subject.users.create(newUser(over));
    const changeOf = ({ id }: UserRecord) => ({ personId: id, mayTouchOwners: true, audit: testAudit() });
    const leave: Record<string, (admin: UserRecord) => Promise<unknown>> = {
      disabled: (admin) => subject.users.disable({ ...changeOf(admin), at: 5 }),
      'made a member': (admin) => subject.users.change({ ...changeOf(admin), role: 'member' }),
    };
    /** Returns actions by `actor` whose effects would outlast their rights: granting `role`, or affecting `target`. */
    const actionsOf = (actor: UserRecord, target: UserRecord, role: 'admin' | 'owner') => {
      const audit = () => testAudit({ actor: userActor(actor) });
      const createdBy = userActor(actor);
      return {
        account: () => subject.users.create({ ...newUser({ role }), audit: audit() }),
        role: () => subject.users.change({ ...changeOf(target), role, audit: audit() }),
        enabling: () => subject.users.enable({ ...changeOf(target), audit: audit() }),
        invitation: () => subject.users.createLink(newInvitation('new@example.org', { role, createdBy })),
        reset: () => subject.users.createLink(newLink('password_reset', { personId: target.id, createdBy })),
      };
    };

    test.each(Object.keys(leave))('cannot grant rights to anyone right after being %s', async (change) => {
      const [admin, member] = [await create({ role: 'admin' }), await create()];
      await leave[change]?.(admin);
      const entries = await subject.auditCount();
      for (const action of Object.values(actionsOf(admin, member, 'admin'))) await rejectsWith(action(), 'forbidden');
      expect(await subject.auditCount()).toBe(entries);
      expect(await subject.users.find(member.id)).toEqual(member);
    });

    test('cannot create or change owners right after losing the owner role', async () => {
      const [former, owner] = [await create({ role: 'owner' }), await create({ role: 'owner' })];
      const member = await create();
      await subject.users.change({ ...changeOf(former), role: 'admin' });
      const { account, role, invitation } = actionsOf(former, member, 'owner');
      const { enabling, reset } = actionsOf(former, owner, 'admin');
      for (const action of [account, role, invitation, enabling, reset]) await rejectsWith(action(), 'forbidden');
    });

    test('could grant rights and create or change owners while they still had their roles', async () => {
      const [admin, owner, member] = [await create({ role: 'admin' }), await create({ role: 'owner' }), await create()];
      for (const action of Object.values(actionsOf(admin, member, 'admin'))) await action();
      for (const action of Object.values(actionsOf(owner, member, 'owner'))) await action();
      expect((await subject.users.find(member.id))?.role).toBe('owner');
    });
  });
}
