import type { CreatePersonBody, Person, Role } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { PersonRecord } from '../store/people-store.ts';
import { requireConfirmed } from './confirm-session.ts';
import { emailAddress } from './email-address.ts';
import { requireGoodPassword } from './password-rules.ts';
import { requireMayGiveRole } from './person-rights.ts';
import { personView } from './person-view.ts';

/** An account with a password that the admin has chosen. It belongs to no Hub yet. */
export async function createPerson(deps: Deps, caller: Caller, input: CreatePersonBody): Promise<Person> {
  requireMayGiveRole(caller, input.role);
  if (input.role !== undefined && input.role !== 'member') await requireConfirmed(deps, caller);
  const email = emailAddress(input.email);
  requireGoodPassword(input.password, email);
  const passwordHash = await deps.passwords.hash(input.password, caller.address);
  const person = newPersonRecord(deps, { email, name: input.name, role: input.role ?? 'member' });
  const audit = auditRecord(deps, caller, {
    action: 'person.created',
    targetId: person.id,
    targetName: person.name,
    details: { email, role: person.role },
  });
  return personView(await deps.store.people.create({ person, passwordHash, hubs: [], audit }));
}

export function newPersonRecord(
  { clock, newId }: Pick<Deps, 'clock' | 'newId'>,
  { email, name, role }: { email: string; name: string; role: Role },
): PersonRecord {
  return {
    id: newId('usr'),
    email,
    name: name.trim(),
    role,
    createdAt: clock.now(),
    disabledAt: null,
    lastSeenAt: null,
  };
}
