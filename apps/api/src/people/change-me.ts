import type { ChangeMeBody, Me } from '@hub/contract';
import { auditRecord, type PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { showMe } from './show-me.ts';

/** What people may change of themselves: the name under which they write. */
export async function changeMe(deps: Deps, caller: PersonCaller, input: ChangeMeBody): Promise<Me> {
  const { id, name: from } = caller.person;
  const name = input.name?.trim() ?? from;
  const audit = auditRecord(deps, caller, {
    action: 'person.changed',
    targetId: id,
    targetName: from,
    details: { from: { name: from }, to: { name } },
  });
  const changed = await deps.store.people.change({ personId: id, mayTouchOwners: true, name, audit });
  if (!changed) throw new Refusal('not_found', thereIsNo('person', id));
  return showMe(deps, changed);
}
