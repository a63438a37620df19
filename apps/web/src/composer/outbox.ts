import type { EventFrame, Message } from '@hub/contract';
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isOnline, isServerThere } from '../api/reachable.ts';
import { path, request } from '../api/request.ts';
import type { ItemStore } from '../items/item-store.ts';
import { randomId } from '../session/random-id.ts';
import { drop, keep, keptName, keptNames, readKept } from '../session/unsaved-text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { failureText, INTERRUPTED, NEVER_SENT, readUnsent, type Unsent } from './unsent.ts';

/** A tab gives up a response after 30 s: what another tab was sending before that will not be heard of any more. */
const ABANDONED_MS = 40_000;
const TAB_KEY = 'hub.tab';

const outboxes = new WeakMap<Workspace, Outbox>();

/** The outbox of whoever is signed in. */
export function outboxOf(workspace: Workspace): Outbox {
  let outbox = outboxes.get(workspace);
  if (!outbox) {
    outbox = new Outbox(workspace);
    outboxes.set(workspace, outbox);
  }
  return outbox;
}

/**
 * Messages that are being sent, and those that could not be. They are kept in the browser until the server has them or they are
 * discarded. Those to one place are sent one after the other, in the order in which they were written. While the server cannot be
 * reached they wait, and are then sent by themselves; a message that was sent once, and may have arrived, never is.
 */
export class Outbox {
  readonly #myId: string;
  readonly #prefix: string;
  readonly #tab = tabId();
  readonly #all: Signal<readonly Unsent[]> = signal([]);
  readonly #turns = new Map<string, Promise<void>>();
  readonly #items: ItemStore;
  readonly #hubs: Workspace['hubs'];

  constructor({ me, hubs, items }: Workspace) {
    this.#myId = me.peek().id;
    this.#prefix = keptName('unsent', this.#myId);
    this.#items = items;
    this.#hubs = hubs;
    this.#all.value = this.#kept();
    for (const unsent of this.#all.peek()) if (unsent.state === 'waiting') this.#enqueue(unsent);
    hubs.onEvent((event) => this.#takeEvent(event));
    addEventListener('storage', ({ key, newValue }) => {
      if (key?.startsWith(this.#prefix)) this.#takeKept(key.slice(this.#prefix.length), readUnsent(newValue));
    });
  }

  /** The oldest first. */
  get all(): ReadonlySignal<readonly Unsent[]> {
    return this.#all;
  }

  send(message: Pick<Unsent, 'hubId' | 'draftKey' | 'text'>): void {
    const { hubId, draftKey, text } = message;
    const at = new Date().toISOString();
    this.#putInLine({ hubId, draftKey, text, at, id: randomId(), tab: this.#tab, state: 'waiting', failure: '' });
  }

  sendAgain(id: string): void {
    const unsent = this.#find(id);
    if (unsent?.state === 'failed') this.#putInLine({ ...unsent, tab: this.#tab, state: 'waiting', failure: '' });
  }

  /** Returns what brings it back. */
  discard(id: string): () => void {
    const unsent = this.#find(id);
    this.#drop(id);
    return () => {
      if (unsent?.state === 'waiting') this.#putInLine(unsent);
      else if (unsent) this.#put(unsent);
    };
  }

  #putInLine(unsent: Unsent): void {
    this.#put(unsent);
    this.#enqueue(unsent);
  }

  #enqueue({ id, draftKey }: Unsent): void {
    // Browsers may keep nothing for a page.
    const isKept = readKept(this.#prefix + id) !== null;
    const before = this.#turns.get(draftKey) ?? Promise.resolve();
    this.#turns.set(
      draftKey,
      before.then(() => oneTabAtATime(`hub.unsent.${id}`, () => this.#deliver(id, isKept))),
    );
  }

  async #deliver(id: string, isKept: boolean): Promise<void> {
    await this.#untilReachable();
    // Another tab may have sent or discarded it, which is told a moment later.
    if (isKept) this.#takeKept(id, readUnsent(readKept(this.#prefix + id)));
    const unsent = this.#find(id);
    if (unsent?.state !== 'waiting') return;
    this.#put({ ...unsent, state: 'sending' });
    const { hubId, draftKey, text } = unsent;
    const to = draftKey === hubId ? path`/hubs/${hubId}/messages` : path`/messages/${draftKey}/replies`;
    try {
      this.#items.applyResponse(await request<Message>('POST', to, { body: { text } }));
      this.#drop(id);
    } catch (error) {
      this.#fail(id, failureText(error));
    }
  }

  /** Asks the server itself where there is no live connection: something on the way may let nothing but requests through. */
  async #untilReachable(): Promise<void> {
    const { connection } = this.#hubs;
    for (;;) {
      const [wasOnline, before] = [isOnline.peek(), connection.peek()];
      if (wasOnline && before.status === 'live') return;
      // After the end of a session nothing is sent until the same user has signed in again.
      if (wasOnline && before.status !== 'ended' && (await isServerThere())) return;
      await new Promise<void>((resolve) => {
        const stop = effect(() => {
          if (isOnline.value === wasOnline && connection.value === before) return;
          // It may be so at once, before there is anything to stop.
          queueMicrotask(() => stop());
          resolve();
        });
      });
    }
  }

  #find(id: string): Unsent | undefined {
    return this.#all.peek().find((unsent) => unsent.id === id);
  }

  #fail(id: string, failure: string): void {
    const unsent = this.#find(id);
    if (unsent) this.#put({ ...unsent, state: 'failed', failure });
  }

  #put(unsent: Unsent): void {
    this.#show(unsent);
    keep(this.#prefix + unsent.id, JSON.stringify(unsent));
  }

  #show(unsent: Unsent): void {
    const others = this.#all.peek().filter(({ id }) => id !== unsent.id);
    this.#all.value = [...others, unsent].sort((one, other) => one.at.localeCompare(other.at));
  }

  #drop(id: string): void {
    this.#all.value = this.#all.peek().filter((unsent) => unsent.id !== id);
    drop(this.#prefix + id);
  }

  /** The event of a message can be here before the answer, or come although there was none. */
  #takeEvent({ event, data }: EventFrame): void {
    if (event !== 'message.created' || !('text' in data) || data.author.id !== this.#myId) return;
    const place = data.parentId ?? data.hubId;
    const arrived = this.#all
      .peek()
      .find(({ draftKey, text, state }) => draftKey === place && text === data.text && state !== 'waiting');
    if (arrived) this.#drop(arrived.id);
  }

  /** What another tab has kept or dropped. */
  #takeKept(id: string, unsent: Unsent | null): void {
    if (unsent) this.#show(unsent);
    else this.#all.value = this.#all.peek().filter((other) => other.id !== id);
  }

  #kept(): Unsent[] {
    const texts = keptNames('unsent', this.#myId).map(readKept);
    const all = texts.map(readUnsent).filter((unsent) => unsent !== null);
    return all.map((unsent) => this.#checked(unsent)).sort((one, other) => one.at.localeCompare(other.at));
  }

  /** What this tab was sending before it was loaded anew, nobody sends any more. Another tab may still be at it. */
  #checked(unsent: Unsent): Unsent {
    if (unsent.state === 'failed') return unsent;
    // Without locks another tab may be about to send it.
    if (unsent.state === 'waiting') return hasLocks() ? unsent : { ...unsent, state: 'failed', failure: NEVER_SENT };
    const abandoned: Unsent = { ...unsent, state: 'failed', failure: INTERRUPTED };
    const age = Date.now() - Date.parse(unsent.at);
    if (unsent.tab === this.#tab || !(age < ABANDONED_MS)) return abandoned;
    setTimeout(() => {
      if (this.#find(unsent.id)?.state === 'sending') this.#put(abandoned);
    }, ABANDONED_MS - age);
    return unsent;
  }
}

/** Waits for another tab that is at it. Where pages come over plain HTTP browsers have no locks: there nobody can tell. */
async function oneTabAtATime(name: string, run: () => Promise<void>): Promise<void> {
  if (!hasLocks()) return run();
  await navigator.locks.request(name, run);
}

function hasLocks(): boolean {
  return (navigator.locks as LockManager | undefined) !== undefined;
}

function tabId(): string {
  try {
    const known = sessionStorage.getItem(TAB_KEY) ?? randomId();
    sessionStorage.setItem(TAB_KEY, known);
    return known;
  } catch {
    return randomId();
  }
}
