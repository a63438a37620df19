import type { Person } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { findPerson } from './find-person.ts';
import { mayTouchOwners } from './person-rights.ts';
import { personView } from './person-view.ts';

/**
 * Locks somebody out at once: sessions, personal tokens and the links that he made end for good, live views within a
 * second. What he wrote stays, and so do his memberships, for the day on which the account is enabled again.
 */
export async function disablePerson(deps: Deps, caller: Caller, personId: string): Promise<Person> {
  const person = await findPerson(deps, personId);
  if (caller.person?.id === person.id) {
    throw new Refusal('conflict', 'Nobody can disable his own account. Ask another admin, or another owner.');
  }
  const audit = auditRecord(deps, caller, {
    action: 'person.disabled',
    targetId: person.id,
    targetName: person.name,
  });
  const disabled = await deps.store.people.disable({
    personId,
    mayTouchOwners: mayTouchOwners(caller),
    at: deps.clock.now(),
    audit,
  });
  if (!disabled) throw new Refusal('not_found', thereIsNo('person', personId));
  return personView(disabled);
}
