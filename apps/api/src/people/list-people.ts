import type { Person } from '@hub/contract';
import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../store/store.ts';
import { personView } from './person-view.ts';

/** A page of all accounts, disabled ones too, newest first: everybody may know who works here. */
export async function listPeople(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  { limit, before }: PageRequest,
): Promise<Page<Person>> {
  const people = await store.people.list({ limit: limit + 1, before });
  const isForAdmin = isAdmin(caller);
  return pageOf(
    people.map((person) => personView(person, { isForAdmin })),
    limit,
  );
}
