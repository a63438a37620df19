import type { Item } from '@hub/contract';
import { bySeq } from '../../../../apps/web/src/data/items/item.ts';
import type { ItemListOptions, Page } from '../../../../apps/web/src/data/items/item-list.ts';
import { event, message, timeOf } from './sample-items.ts';

const PAGE = 3;

/**
 * Starts a server with the messages of one Hub. Each response reflects the state at the time of its request and
 * arrives when the test releases it.
 */
export function startPages(seqs: readonly number[]) {
  let items: Item[] = seqs.map((seq) => message(seq));
  let seq = Math.max(0, ...seqs);
  let isDown = false;
  const waiting: { what: string; response: () => void }[] = [];
  const asked = (what: string, pick: () => { items: Item[]; next: string | null }): Promise<Page> => {
    const page = {
      ...pick(),
      asOf: (
        (known) => () =>
          known
      )(seq),
    };
    const isRejected = isDown;
    return new Promise((resolve, reject) => {
      waiting.push({ what, response: () => (isRejected ? reject(new Error('The server is away')) : resolve(page)) });
    });
  };
  const older = (before: number) => {
    const found = items.filter((item) => item.seq < before).sort((one, other) => other.seq - one.seq);
    return { items: found.slice(0, PAGE), next: found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null };
  };
  const newer = (after: number) => {
    const found = items.filter((item) => item.seq > after).sort(bySeq);
    return { items: found.slice(0, PAGE), next: found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null };
  };
  const seqOf = (id: string) => Number(id.slice(-4));
  const options: ItemListOptions = {
    holds: (item) => item.kind === 'message' && item.hubId === 'hub_1',
    order: bySeq,
    hubId: 'hub_1',
    load: (before) => asked(`before ${before ?? 'now'}`, () => older(before === null ? Infinity : seqOf(before))),
    middle: {
      upTo: (id) => asked(`up to ${id}`, () => older(seqOf(id) + 1)),
      after: (id) => asked(`after ${id}`, () => newer(seqOf(id))),
    },
  };
  return {
    options,
    waiting,
    post: () => {
      seq += 1;
      items.push(message(seq));
      return event('created', seq, message(seq));
    },
    change: (which: number, fields: object) => {
      seq += 1;
      items = items.map((item) => (item.seq === which ? ({ ...item, ...fields } as Item) : item));
      return event('changed', seq, message(which, fields));
    },
    remove: (which: number) => {
      seq += 1;
      items = items.filter((item) => item.seq !== which);
      return event('deleted', seq, message(which, { deletedAt: timeOf(seq), text: null }));
    },
    restore: (which: number) => {
      seq += 1;
      items.push(message(which));
      return event('restored', seq, message(which));
    },
    setDown: (isNow: boolean) => {
      isDown = isNow;
    },
    restart: (others: Item[]) => {
      items = others;
      seq = Math.max(...others.map((item) => item.seq));
    },
    respondToAll: async () => {
      for (const { response } of waiting.splice(0)) response();
      await settle();
    },
  };
}

/** Waits until all pending microtasks have run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}
