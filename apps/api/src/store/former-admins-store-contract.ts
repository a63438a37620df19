import { describe, expect, test } from 'bun:test';
import { personActor } from '../actor.ts';
import { newInvitation, newLink, newPerson } from '../testing/people-records.ts';
import { testAudit } from '../testing/store-records.ts';
import { type OpenStoreUnderTest, refuses, storeSubject } from '../testing/store-subject.ts';
import type { PersonRecord } from './people-store.ts';

/**
 * What every adapter promises of those who lose their rights while they use them: an account, a role or a link would
 * outlast them. Run it from a test file of the adapter.
 */
export function describeFormerAdmins(name: string, open: OpenStoreUnderTest): void {
  describe(`whoever is no admin any more, in the store on ${name}`, () => {
    const subject = storeSubject(open);
    const create = (over: Partial<PersonRecord> = {}) => subject.people.create(newPerson(over));
    const changeOf = ({ id }: PersonRecord) => ({ personId: id, mayTouchOwners: true, audit: testAudit() });
    const leave: Record<string, (admin: PersonRecord) => Promise<unknown>> = {
      disabled: (admin) => subject.people.disable({ ...changeOf(admin), at: 5 }),
      'made a member': (admin) => subject.people.change({ ...changeOf(admin), role: 'member' }),
    };
    /** Each deed of `actor` that outlasts him, upon somebody, giving this role. */
    const deedsOf = (actor: PersonRecord, upon: PersonRecord, role: 'admin' | 'owner') => {
      const audit = () => testAudit({ actor: personActor(actor) });
      const createdBy = personActor(actor);
      return {
        account: () => subject.people.create({ ...newPerson({ role }), audit: audit() }),
        role: () => subject.people.change({ ...changeOf(upon), role, audit: audit() }),
        enabling: () => subject.people.enable({ ...changeOf(upon), audit: audit() }),
        invitation: () => subject.people.createLink(newInvitation('new@example.org', { role, createdBy })),
        reset: () => subject.people.createLink(newLink('password_reset', { personId: upon.id, createdBy })),
      };
    };

    test.each(Object.keys(leave))('and was %s a moment ago makes nobody anything', async (how) => {
      const [admin, member] = [await create({ role: 'admin' }), await create()];
      await leave[how]?.(admin);
      const entries = await subject.auditCount();
      for (const deed of Object.values(deedsOf(admin, member, 'admin'))) await refuses(deed(), 'forbidden');
      expect(await subject.auditCount()).toBe(entries);
      expect(await subject.people.find(member.id)).toEqual(member);
    });

    test('and was an owner a moment ago makes no owner, and touches none', async () => {
      const [former, owner] = [await create({ role: 'owner' }), await create({ role: 'owner' })];
      const member = await create();
      await subject.people.change({ ...changeOf(former), role: 'admin' });
      const { account, role, invitation } = deedsOf(former, member, 'owner');
      const { enabling, reset } = deedsOf(former, owner, 'admin');
      for (const deed of [account, role, invitation, enabling, reset]) await refuses(deed(), 'forbidden');
    });

    test('is told from who still is one', async () => {
      const [admin, owner, member] = [await create({ role: 'admin' }), await create({ role: 'owner' }), await create()];
      for (const deed of Object.values(deedsOf(admin, member, 'admin'))) await deed();
      for (const deed of Object.values(deedsOf(owner, member, 'owner'))) await deed();
      expect((await subject.people.find(member.id))?.role).toBe('owner');
    });
  });
}
