import type { ChangePersonBody, Person } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findPerson } from './find-person.ts';
import { mayTouchOwners, requireMayGiveRole } from './person-rights.ts';
import { personView } from './person-view.ts';

/** Another name or role. Nobody changes his own role, so that nobody locks himself out. */
export async function changePerson(
  deps: Deps,
  caller: Caller,
  personId: string,
  input: ChangePersonBody,
): Promise<Person> {
  const person = await findPerson(deps, personId);
  requireMayGiveRole(caller, input.role);
  if (input.role !== undefined && input.role !== person.role && caller.person?.id === person.id) {
    throw new Refusal('conflict', 'Nobody can change his own role. Ask another admin, or another owner.');
  }
  if (input.role !== undefined && input.role !== person.role) await requireConfirmed(deps, caller);
  const changes = {
    ...(input.name === undefined ? {} : { name: input.name.trim() }),
    ...(input.role === undefined ? {} : { role: input.role }),
  };
  const audit = auditRecord(deps, caller, {
    action: 'person.changed',
    targetId: person.id,
    targetName: person.name,
    details: { from: { name: person.name, role: person.role }, to: changes },
  });
  const changed = await deps.store.people.change({
    personId,
    mayTouchOwners: mayTouchOwners(caller),
    ...changes,
    audit,
  });
  if (!changed) throw new Refusal('not_found', thereIsNo('person', personId));
  return personView(changed);
}
