import { useEffect, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';

type OwnList<T> = { status: 'loading' } | { status: 'ready'; items: readonly T[] } | { status: 'failed'; text: string };

/** Loads all pages of a list that belongs to the user, such as sessions. Reloads when the tab becomes visible again. */
export function useOwnList<T>(address: string): { list: OwnList<T>; load: () => Promise<void> } {
  const [list, setList] = useState<OwnList<T>>({ status: 'loading' });
  const load = async () => {
    try {
      setList({ status: 'ready', items: await allOf<T>(address) });
    } catch (error) {
      // A list that is already shown stays: it is probably still correct.
      setList((known) => (known.status === 'ready' ? known : { status: 'failed', text: errorMessage(error) }));
    }
  };
  useEffect(() => {
    void load();
    const onVisibility = () => {
      if (document.visibilityState === 'visible') void load();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, [address]);
  return { list, load };
}

async function allOf<T>(address: string): Promise<T[]> {
  const items: T[] = [];
  let before: string | null = null;
  do {
    const query: { limit: number; before: string | null } = { limit: 100, before };
    const page: { items: T[]; next: string | null } = await request('GET', address, { query });
    items.push(...page.items);
    before = page.next;
  } while (before !== null);
  return items;
}
