import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import type { PersonRecord } from '../store/people-store.ts';

/** The person with this id, disabled or not, or a `not_found` refusal. Of an undecodable path the router makes `null`. */
export async function findPerson({ store }: Pick<Deps, 'store'>, personId: string | null): Promise<PersonRecord> {
  const person = personId === null ? null : await store.people.find(personId);
  if (!person) throw new Refusal('not_found', thereIsNo('person', personId));
  return person;
}
