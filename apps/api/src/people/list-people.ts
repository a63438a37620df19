import type { Person } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../store/store.ts';
import { personView } from './person-view.ts';

/** A page of all accounts, disabled ones too, newest first. */
export async function listPeople(
  { store }: Pick<Deps, 'store'>,
  { limit, before }: PageRequest,
): Promise<Page<Person>> {
  const people = await store.people.list({ limit: limit + 1, before });
  return pageOf(people.map(personView), limit);
}
