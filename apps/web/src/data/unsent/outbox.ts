import type { EventFrame } from '@hub/contract';
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { randomId, readStored } from '../../lib/stored.ts';
import type { ItemStore } from '../items/item-store.ts';
import type { Workspace } from '../live/workspace.ts';
import { isOnline, isServerReachable } from '../reachable.ts';
import { request } from '../request.ts';
import { ABANDONED_MS, removeStored, storageKey, storageKeys, store, TAB_ID } from './unsaved-text.ts';
import { failureText, INTERRUPTED, MAY_HAVE_ARRIVED, NEVER_SENT, readUnsent, type Unsent } from './unsent.ts';

/** When a server that did not respond is tried again, if the connection has not changed until then. */
const TRY_AGAIN_MS = 2_000;

const outboxes = new WeakMap<Workspace, Outbox>();

/** Returns the outbox of the signed-in user. */
export function outboxOf(workspace: Workspace): Outbox {
  let outbox = outboxes.get(workspace);
  if (!outbox) {
    outbox = new Outbox(workspace);
    outboxes.set(workspace, outbox);
  }
  return outbox;
}

/**
 * Messages that are being sent, and those that failed. They are kept in the browser until the server has them or they
 * are discarded. Messages to one conversation or thread are sent one after another, in the order in which they were
 * written. While the server is unreachable they wait and are then sent automatically; a message that may already have
 * arrived is never resent automatically.
 */
export class Outbox {
  readonly #myId: string;
  readonly #prefix: string;
  readonly #all: Signal<readonly Unsent[]> = signal([]);
  /** All unsent messages, oldest first. */
  readonly all: ReadonlySignal<readonly Unsent[]> = this.#all;
  readonly #queues = new Map<string, Promise<void>>();
  readonly #items: ItemStore;
  readonly #hubs: Workspace['hubs'];

  constructor({ me, hubs, items }: Workspace) {
    this.#myId = me.peek().id;
    this.#prefix = storageKey('unsent', this.#myId);
    this.#items = items;
    this.#hubs = hubs;
    this.#all.value = this.#kept();
    for (const unsent of this.#all.peek()) if (unsent.state === 'waiting') this.#enqueue(unsent);
    hubs.onEvent((event) => this.#takeEvent(event));
    addEventListener('storage', ({ key, newValue }) => {
      if (!key?.startsWith(this.#prefix)) return;
      const unsent = readUnsent(newValue);
      this.#takeKept(key.slice(this.#prefix.length), unsent);
      // The other tab may be closed before it has sent it.
      if (unsent?.state === 'sending') this.#watch(unsent);
      if (unsent?.state === 'waiting' && hasLocks()) this.#enqueue(unsent);
    });
  }

  send(message: Pick<Unsent, 'hubId' | 'draftKey' | 'text' | 'files'>): void {
    // Messages of the same millisecond keep their order, also over a reload.
    const last = Date.parse(this.#all.peek().at(-1)?.at ?? '') || 0;
    const at = new Date(Math.max(Date.now(), last + 1)).toISOString();
    this.#putAndEnqueue({ ...message, at, id: randomId(), tab: TAB_ID, state: 'waiting', failure: '' });
  }

  resend(id: string): void {
    const unsent = this.#find(id);
    if (unsent?.state === 'failed') this.#putAndEnqueue({ ...unsent, tab: TAB_ID, state: 'waiting', failure: '' });
  }

  /** Removes a message. Returns a function that restores it. */
  discard(id: string): () => void {
    const unsent = this.#find(id);
    this.#drop(id);
    return () => {
      if (unsent?.state === 'waiting') this.#putAndEnqueue(unsent);
      else if (unsent) this.#put(unsent);
    };
  }

  #putAndEnqueue(unsent: Unsent): void {
    this.#put(unsent);
    this.#enqueue(unsent);
  }

  #enqueue({ id, draftKey }: Unsent): void {
    // Storage may be unavailable.
    const isKept = readStored(this.#prefix + id) !== null;
    const before = this.#queues.get(draftKey) ?? Promise.resolve();
    this.#queues.set(
      draftKey,
      before.catch(() => {}).then(() => oneTabAtATime(`hub.unsent.${id}`, () => this.#deliver(id, isKept))),
    );
  }

  async #deliver(id: string, isKept: boolean): Promise<void> {
    await this.#untilReachable();
    // Another tab may have sent or discarded it; its storage event arrives a moment later.
    if (isKept) this.#takeKept(id, readUnsent(readStored(this.#prefix + id)));
    const unsent = this.#find(id);
    if (unsent?.state !== 'waiting') return;
    this.#put({ ...unsent, tab: TAB_ID, state: 'sending', sendingAt: new Date().toISOString() });
    const { hubId, draftKey, text, files = [] } = unsent;
    try {
      const to = draftKey === hubId ? 'POST /hubs/{hubId}/messages' : 'POST /items/{itemId}/replies';
      const body = { text, ...(files.length > 0 && { files: files.map((file) => file.id) }) };
      await this.#items.applyResponseOf(() => request(to, { hubId, itemId: draftKey, body }));
      this.#drop(id);
    } catch (error) {
      this.#fail(id, failureText(error, '', MAY_HAVE_ARRIVED));
    }
  }

  /**
   * Waits until the server is reachable. Without a live connection it sends a request, since a proxy may block
   * WebSockets; also if it has waited, since the first request after a change of networks often fails, and the
   * connection may not have noticed the change.
   */
  async #untilReachable(): Promise<void> {
    const { connection } = this.#hubs;
    for (let hasWaited = false; ; hasWaited = true) {
      const [wasOnline, before] = [isOnline.peek(), connection.peek()];
      if (wasOnline && before.status === 'live' && !hasWaited) return;
      // After the session ends, nothing is sent until the same user signs in again.
      const mayTry = wasOnline && before.status !== 'ended';
      if (mayTry && (await isServerReachable())) return;
      const isSame = () => isOnline.value === wasOnline && connection.value === before;
      await untilChange(isSame, mayTry ? TRY_AGAIN_MS : null);
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
    store(this.#prefix + unsent.id, JSON.stringify(unsent));
  }

  #show(unsent: Unsent): void {
    const others = this.#all.peek().filter(({ id }) => id !== unsent.id);
    this.#all.value = [...others, unsent].sort((one, other) => one.at.localeCompare(other.at));
  }

  #drop(id: string): void {
    this.#all.value = this.#all.peek().filter((unsent) => unsent.id !== id);
    removeStored(this.#prefix + id);
  }

  /** The event for a message can arrive before the response to its request, or without any response. */
  #takeEvent({ event, data }: EventFrame): void {
    if (event !== 'message.created' || !('text' in data) || data.author.id !== this.#myId) return;
    const target = data.parentId ?? data.hubId;
    const contentOf = (text: string | null, files: readonly { id: string }[] = []) =>
      [text ?? '', ...files.map((file) => file.id)].join();
    const content = contentOf(data.text, data.files);
    const arrived = this.#all
      .peek()
      .find(
        ({ draftKey, text, files, state }) =>
          draftKey === target && contentOf(text, files) === content && state !== 'waiting',
      );
    if (arrived) this.#drop(arrived.id);
  }

  /** Applies a message that another tab stored or removed. */
  #takeKept(id: string, unsent: Unsent | null): void {
    if (unsent) this.#show(unsent);
    else this.#all.value = this.#all.peek().filter((other) => other.id !== id);
  }

  #kept(): Unsent[] {
    const texts = storageKeys('unsent', this.#myId).map(readStored);
    const all = texts.map(readUnsent).filter((unsent) => unsent !== null);
    return all.map((unsent) => this.#checked(unsent)).sort((one, other) => one.at.localeCompare(other.at));
  }

  /** Marks as failed the messages that this tab was sending before a reload. Other tabs may still be sending theirs. */
  #checked(unsent: Unsent): Unsent {
    if (unsent.state === 'failed') return unsent;
    // Without locks, another tab may be about to send it.
    if (unsent.state === 'waiting') return hasLocks() ? unsent : { ...unsent, state: 'failed', failure: NEVER_SENT };
    if (unsent.tab === TAB_ID || !(ageOf(unsent) < ABANDONED_MS)) return interrupted(unsent);
    this.#watch(unsent);
    return unsent;
  }

  /** Marks a message as failed if the tab that is sending it, which may be closed, takes too long. */
  #watch(unsent: Unsent): void {
    setTimeout(() => {
      const now = this.#find(unsent.id);
      if (now?.state === 'sending' && now.sendingAt === unsent.sendingAt) this.#put(interrupted(unsent));
    }, ABANDONED_MS - ageOf(unsent));
  }
}

function ageOf({ at, sendingAt = at }: Unsent): number {
  return Date.now() - Date.parse(sendingAt);
}

function interrupted(unsent: Unsent): Unsent {
  return { ...unsent, state: 'failed', failure: INTERRUPTED };
}

/** Runs a function in one tab at a time; on plain HTTP pages, which have no locks, just runs it. */
async function oneTabAtATime(name: string, run: () => Promise<void>): Promise<void> {
  if (!hasLocks()) return run();
  await navigator.locks.request(name, run);
}

function hasLocks(): boolean {
  return (navigator.locks as LockManager | undefined) !== undefined;
}

/** Resolves once `isSame`, which reads signals, returns false; at the latest after `limitMs`, unless it is `null`. */
function untilChange(isSame: () => boolean, limitMs: number | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = limitMs === null ? undefined : setTimeout(end, limitMs);
    // The effect may run before `stop` is assigned.
    const stop = effect(() => {
      if (!isSame()) queueMicrotask(end);
    });
    function end(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}
