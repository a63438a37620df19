import type { EventFrame, Item } from '@hub/contract';
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { randomId, readStored } from '../../lib/stored.ts';
import type { ItemStore } from '../items/item-store.ts';
import type { Workspace } from '../live/workspace.ts';
import { isOnline, isServerReachable } from '../reachable.ts';
import { request } from '../request.ts';
import { removeStored, storageKey, storageKeys, store } from './unsaved-text.ts';
import { failureText, INTERRUPTED, MAY_HAVE_ARRIVED, NEVER_SENT, readUnsent, type Unsent } from './unsent.ts';

/** When a server that did not respond is tried again, if the connection has not changed until then. */
const TRY_AGAIN_MS = 2_000;

const outboxes = new WeakMap<Workspace, Outbox>();

export function outboxOf(workspace: Workspace): Outbox {
  let outbox = outboxes.get(workspace);
  if (!outbox) {
    outbox = new Outbox(workspace);
    outboxes.set(workspace, outbox);
  }
  return outbox;
}

/**
 * Messages and to-dos that are being sent, and those that failed. They are kept in the browser until the server has them
 * or they are discarded. Those for one conversation, thread or list are sent one after another, in the order in which
 * they were written. While the server is unreachable they wait and are then sent automatically; what may already have
 * arrived is never resent automatically.
 */
export class Outbox {
  readonly #myId: string;
  readonly #prefix: string;
  readonly #all: Signal<readonly Unsent[]> = signal([]);
  /** All unsent messages, oldest first. */
  readonly all: ReadonlySignal<readonly Unsent[]> = this.#all;
  readonly #stored = new Set<string>();
  readonly #queues = new Map<string, Promise<Item | null>>();
  readonly #items: ItemStore;
  readonly #hubs: Workspace['hubs'];

  constructor({ me, hubs, items }: Workspace) {
    this.#myId = me.peek().id;
    this.#prefix = storageKey('unsent', this.#myId);
    this.#items = items;
    this.#hubs = hubs;
    const kept = storageKeys('unsent', this.#myId).map((name) => readUnsent(readStored(name)));
    for (const unsent of kept) if (unsent) this.#takeKept(unsent.id, unsent);
    hubs.onEvent((event) => this.#takeEvent(event));
    addEventListener('storage', ({ key, newValue }) => {
      if (!key?.startsWith(this.#prefix)) return;
      const unsent = readUnsent(newValue);
      // Without locks, the other tab sends it.
      if (unsent && unsent.state !== 'failed' && !hasLocks()) this.#show(unsent);
      else this.#takeKept(key.slice(this.#prefix.length), unsent);
    });
  }

  /** Resolves to the new item, or to null if it was not sent. */
  send(message: Pick<Unsent, 'hubId' | 'draftKey' | 'text' | 'files' | 'todo'>): Promise<Item | null> {
    // Messages of the same millisecond keep their order, also over a reload.
    const last = Date.parse(this.#all.peek().at(-1)?.at ?? '') || 0;
    const at = new Date(Math.max(Date.now(), last + 1)).toISOString();
    return this.#putAndEnqueue({ ...message, at, id: randomId(), state: 'waiting', failure: '' });
  }

  resend(id: string): void {
    const unsent = this.#find(id);
    if (unsent?.state === 'failed') void this.#putAndEnqueue({ ...unsent, state: 'waiting', failure: '' });
  }

  /** Removes a message. Returns a function that restores it. */
  discard(id: string): () => void {
    const unsent = this.#find(id);
    this.#drop(id);
    return () => {
      if (unsent?.state === 'waiting') void this.#putAndEnqueue(unsent);
      else if (unsent) this.#put(unsent);
    };
  }

  #putAndEnqueue(unsent: Unsent): Promise<Item | null> {
    this.#put(unsent);
    return this.#enqueue(unsent);
  }

  #enqueue({ id, draftKey }: Unsent): Promise<Item | null> {
    const before = this.#queues.get(draftKey) ?? Promise.resolve(null);
    const sent = before.then(() => oneTabAtATime(`hub.unsent.${id}`, () => this.#deliver(id))).catch(() => null);
    this.#queues.set(draftKey, sent);
    return sent;
  }

  async #deliver(id: string): Promise<Item | null> {
    await this.#untilReachable();
    const unsent = this.#latest(id);
    if (unsent?.state !== 'waiting') return null;
    this.#put({ ...unsent, state: 'sending' });
    try {
      const item = await this.#items.applyResponseOf(() => post(unsent));
      this.#drop(id);
      return item;
    } catch (error) {
      this.#fail(id, failureText(error, '', MAY_HAVE_ARRIVED));
      return null;
    }
  }

  /** Marks what another tab, or this one before a reload, was sending as failed, if it is still there afterwards. */
  async #watch(id: string): Promise<void> {
    await oneTabAtATime(`hub.unsent.${id}`, async () => {
      if (this.#latest(id)?.state === 'sending') this.#fail(id, INTERRUPTED);
    });
  }

  /** Returns a message as it is now: another tab may have sent or discarded it, and its event arrives a moment later. */
  #latest(id: string): Unsent | undefined {
    const shown = this.#find(id);
    if (!shown || !this.#stored.has(id)) return shown;
    const unsent = readUnsent(readStored(this.#prefix + id));
    if (unsent) this.#show(unsent);
    else this.#hide(id);
    return unsent ?? undefined;
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
    // The storage may be full or unavailable.
    if (store(this.#prefix + unsent.id, JSON.stringify(unsent))) this.#stored.add(unsent.id);
  }

  #show(unsent: Unsent): void {
    const others = this.#all.peek().filter(({ id }) => id !== unsent.id);
    this.#all.value = [...others, unsent].sort((one, other) => one.at.localeCompare(other.at));
  }

  #drop(id: string): void {
    this.#hide(id);
    removeStored(this.#prefix + id);
  }

  #hide(id: string): void {
    this.#all.value = this.#all.peek().filter((unsent) => unsent.id !== id);
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

  /** Takes over what is in the storage, from before a reload or from another tab; null: it was removed. */
  #takeKept(id: string, unsent: Unsent | null): void {
    if (!unsent) {
      this.#hide(id);
      return;
    }
    this.#stored.add(id);
    this.#show(unsent);
    if (unsent.state === 'sending') void this.#watch(id);
    // Without locks, another tab may be about to send it.
    else if (unsent.state === 'waiting' && !hasLocks()) this.#fail(id, NEVER_SENT);
    else if (unsent.state === 'waiting') void this.#enqueue(unsent);
  }
}

function post({ hubId, draftKey, text, files = [], todo }: Unsent): Promise<Item> {
  const attached = files.length > 0 && { files: files.map(({ id }) => id) };
  if (todo) return request('POST /hubs/{hubId}/todos', { hubId, body: { title: text, ...todo, ...attached } });
  const to = draftKey === hubId ? 'POST /hubs/{hubId}/messages' : 'POST /items/{itemId}/replies';
  return request(to, { hubId, itemId: draftKey, body: { text, ...attached } });
}

/** Runs a function in one tab at a time; on plain HTTP pages, which have no locks, just runs it. */
async function oneTabAtATime<T>(name: string, run: () => Promise<T>): Promise<T> {
  return hasLocks() ? await navigator.locks.request(name, run) : run();
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
