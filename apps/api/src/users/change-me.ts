import type { ChangeMeBody, Me } from '@hub/contract';
import { auditRecord, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { showMe } from './show-me.ts';

/** Changes the caller's own name, the only field that users may change themselves. */
export async function changeMe(deps: Deps, caller: UserCaller, input: ChangeMeBody): Promise<Me> {
  const { id, name: from } = caller.user;
  const name = input.name?.trim() ?? from;
  const audit = auditRecord(deps, caller, {
    action: 'person.changed',
    targetId: id,
    targetName: from,
    details: { from: { name: from }, to: { name } },
  });
  const changed = await deps.store.users.change({ personId: id, mayTouchOwners: true, name, audit });
  if (!changed) throw new AppError('not_found', notFound('user', id));
  return showMe(deps, changed);
}
