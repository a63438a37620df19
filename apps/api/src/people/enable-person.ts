import type { Person } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findPerson } from './find-person.ts';
import { mayTouchOwners } from './person-rights.ts';
import { personView } from './person-view.ts';

/** Lets somebody in again who was disabled, with the former password. Sessions and tokens stay ended. */
export async function enablePerson(deps: Deps, caller: Caller, personId: string): Promise<Person> {
  const person = await findPerson(deps, personId);
  if (person.role !== 'member' && person.disabledAt !== null) await requireConfirmed(deps, caller);
  const audit = auditRecord(deps, caller, {
    action: 'person.enabled',
    targetId: person.id,
    targetName: person.name,
  });
  const enabled = await deps.store.people.enable({ personId, mayTouchOwners: mayTouchOwners(caller), audit });
  if (!enabled) throw new Refusal('not_found', thereIsNo('person', personId));
  return personView(enabled);
}
