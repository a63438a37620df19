import type { Me } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { PersonRecord } from '../store/people-store.ts';
import { isoTime } from '../time.ts';

/** The signed-in person, and where. */
export async function showMe({ store }: Pick<Deps, 'store'>, person: PersonRecord): Promise<Me> {
  const { name } = await store.workspace();
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    createdAt: isoTime(person.createdAt),
    workspace: { name },
  };
}
