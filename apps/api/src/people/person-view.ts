import type { Person } from '@hub/contract';
import type { PersonRecord } from '../store/people-store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

/** A person as admins see him; others are not told when he was last seen. */
export function personView(person: PersonRecord, { isForAdmin = true } = {}): Person {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    createdAt: isoTime(person.createdAt),
    disabledAt: isoTimeOrNull(person.disabledAt),
    lastSeenAt: isForAdmin ? isoTimeOrNull(person.lastSeenAt) : null,
  };
}
