import type { Store } from '../../../../apps/api/src/for-tests.ts';
import { perTest } from '../in-process/shared.ts';
import { testAudit } from './store-records.ts';

/** A store under test, with details that the port does not expose but every adapter must keep. */
export interface StoreUnderTest {
  store: Store;
  /** All items in a Hub, in the order of their sequence numbers. */
  itemsOf(hubId: string): Promise<{ id: string; kind: string; seq: number; keyId: string | null }[]>;
  /** All events in a Hub, in the order of their sequence numbers. */
  eventsOf(hubId: string): Promise<{ seq: number; event: string; itemId: string | null }[]>;
  /** Closes the store and opens it again on the same data, as after a restart. */
  reopen(): Promise<StoreUnderTest>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

/** Opens a new, empty store. */
export type OpenStoreUnderTest = () => Promise<StoreUnderTest>;

/** Opens a new store for each test of the enclosing describe block. */
export function storeSubject(open: OpenStoreUnderTest) {
  return perTest(async () => {
    let subject = await open();
    return {
      get store(): Store {
        return subject.store;
      },
      eventsOf: (hubId: string) => subject.eventsOf(hubId),
      itemsOf: (hubId: string) => subject.itemsOf(hubId),
      /** Closes the store and opens it again on the same data. */
      async reopen(): Promise<void> {
        subject = await subject.reopen();
      },
      /** Returns an audit entry that cannot be written, since its id is taken. A change writes its audit entry last. */
      async unwritableAudit() {
        const taken = testAudit();
        await subject.store.transaction(({ audit }) => audit.insert(taken));
        return testAudit({ id: taken.id });
      },
      [Symbol.asyncDispose]: () => subject.dispose(),
    };
  });
}
