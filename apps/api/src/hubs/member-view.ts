import type { Member } from '@hub/contract';
import type { MembershipRecord, PersonRecord } from '../store/people-store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

/** A person as a member of a Hub. */
export function memberView({ joinedAt }: Pick<MembershipRecord, 'joinedAt'>, person: PersonRecord): Member {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    disabledAt: isoTimeOrNull(person.disabledAt),
    joinedAt: isoTime(joinedAt),
  };
}
