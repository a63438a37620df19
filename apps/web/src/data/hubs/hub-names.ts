import type { Hub } from '@hub/contract';
import { computed, type ReadonlySignal } from '@preact/signals';

/** Returns the names of Hubs by id. The map stays the same object until a name changes. */
export function hubNames(hubs: ReadonlySignal<readonly Hub[]>): ReadonlySignal<ReadonlyMap<string, string>> {
  let last: ReadonlyMap<string, string> = new Map();
  return computed(() => {
    const names = new Map(hubs.value.map(({ id, name }) => [id, name]));
    const isSame = last.size === names.size && [...names].every(([id, name]) => last.get(id) === name);
    if (!isSame) last = names;
    return last;
  });
}
