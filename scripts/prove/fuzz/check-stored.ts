import type { Item } from '@hub/contract';
import type { Proof } from '@hub/testkit';
import type { Acknowledged } from './fuzz-public.ts';
import { instantOf, type PostKind } from './read-post.ts';
import type { FuzzSetup } from './setup.ts';

/** Checks that the Hub contains exactly the posts that were acknowledged with 201, as they were sent. */
export async function checkStored(
  proof: Proof,
  setup: FuzzSetup,
  acknowledged: Acknowledged,
  besides: (item: Item) => boolean,
) {
  const stored = new Map<string, Item>();
  for (const kind of ['messages', 'notes', 'todos'] as const) {
    for (const item of await itemsOf(setup, kind)) if (!besides(item)) stored.set(item.id, item);
  }
  const lost = [...acknowledged.keys()].filter((id) => !stored.has(id));
  const strange = [...stored.values()].filter(({ id }) => !acknowledged.has(id));
  const changed = [...acknowledged].flatMap(([id, { kind, post }]) => {
    const item = stored.get(id) as unknown as Record<string, unknown> | undefined;
    const problem = item && difference(kind, post.fields, item);
    return problem ? [`${id}: ${problem}`] : [];
  });
  proof.report(`${acknowledged.size} mutations made an item`);
  proof.check(
    'every post that returned 201 is stored',
    lost.length === 0 && acknowledged.size > 0,
    lost.slice(0, 3).join(),
  );
  proof.check(
    'nothing else is stored',
    strange.length === 0,
    strange
      .slice(0, 3)
      .map((item) => JSON.stringify(item).slice(0, 200))
      .join('; '),
  );
  proof.check('each is stored as sent', changed.length === 0, changed.slice(0, 3).join('; '));
}

async function itemsOf({ admin, posts }: FuzzSetup, kind: PostKind): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const page: { items: Item[]; next: string | null } = await admin.call(
      'GET',
      `/hubs/${posts.id}/${kind}?limit=100${before}`,
    );
    items.push(...page.items);
    if (page.next === null) return items;
    before = `&before=${page.next}`;
  }
}

function difference(
  kind: PostKind,
  sent: Readonly<Record<string, unknown>>,
  item: Readonly<Record<string, unknown>>,
): string | null {
  const expected: Record<string, unknown> = { ...sent };
  if (sent.blocks !== undefined) delete expected.text;
  if (typeof sent.dueDate === 'string')
    expected.dueDate = new Date(instantOf(sent.dueDate) ?? Number.NaN).toISOString();
  const names = {
    messages: ['text', 'blocks'],
    notes: ['title', 'content'],
    todos: ['title', 'content', 'dueDate', 'priority'],
  }[kind];
  for (const name of names) {
    if (name === 'text' && sent.blocks !== undefined) continue;
    const [want, have] = [inOrder(expected[name] ?? null), inOrder(item[name] ?? null)];
    if (want !== have) return `${name} is ${have.slice(0, 80)}, not ${want.slice(0, 80)}`;
  }
  return null;
}

/** Returns JSON for comparisons that do not depend on the order of names. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
