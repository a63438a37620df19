import type { EventFrame } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { drop, keep, keptName, keptNames, readKept } from '../session/kept-words.ts';
import { randomId } from '../session/random-id.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { failureWords, INTERRUPTED, readUnsent, type Unsent } from './unsent.ts';

/** A tab gives up an answer after 30 s: what another tab was sending before that will not be heard of any more. */
const ABANDONED_MS = 40_000;
const TAB_KEY = 'hub.tab';

export type Send = (text: string) => Promise<void>;

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
 * discarded. Those to one place are sent one after the other, in the order in which they were written.
 */
export class Outbox {
  readonly #myId: string;
  readonly #prefix: string;
  readonly #tab = tabId();
  readonly #all: Signal<readonly Unsent[]> = signal([]);
  readonly #senders = new Map<string, Send>();
  readonly #turns = new Map<string, Promise<void>>();

  constructor({ me, hubs }: Workspace) {
    this.#myId = me.peek().id;
    this.#prefix = keptName('unsent', this.#myId);
    this.#all.value = this.#kept();
    hubs.onEvent((event) => this.#takeEvent(event));
    addEventListener('storage', ({ key, newValue }) => {
      if (key?.startsWith(this.#prefix)) this.#takeKept(key.slice(this.#prefix.length), readUnsent(newValue));
    });
  }

  /** The oldest first. */
  get all(): ReadonlySignal<readonly Unsent[]> {
    return this.#all;
  }

  /** From now on, messages to this place are sent like this. The result ends that. */
  register(draftKey: string, send: Send): () => void {
    this.#senders.set(draftKey, send);
    return () => {
      if (this.#senders.get(draftKey) === send) this.#senders.delete(draftKey);
    };
  }

  send(message: Pick<Unsent, 'hubId' | 'draftKey' | 'text'>): void {
    const { hubId, draftKey, text } = message;
    const at = new Date().toISOString();
    this.#try({ hubId, draftKey, text, at, id: randomId(), tab: this.#tab, state: 'sending', words: '' });
  }

  sendAgain(id: string): void {
    const unsent = this.#find(id);
    if (unsent?.state === 'failed') this.#try({ ...unsent, tab: this.#tab, state: 'sending', words: '' });
  }

  /** Returns what brings it back. */
  discard(id: string): () => void {
    const unsent = this.#find(id);
    this.#drop(id);
    return () => {
      if (unsent) this.#put(unsent);
    };
  }

  #try(unsent: Unsent): void {
    this.#put(unsent);
    const { id, draftKey, text } = unsent;
    const send = this.#senders.get(draftKey);
    const turn = (this.#turns.get(draftKey) ?? Promise.resolve()).then(async () => {
      if (!send) return this.#fail(id, 'It is kept here until you send it.');
      await ifAlone(`hub.unsent.${id}`, async () => {
        try {
          await send(text);
          this.#drop(id);
        } catch (error) {
          this.#fail(id, failureWords(error, navigator.onLine));
        }
      });
    });
    this.#turns.set(draftKey, turn);
  }

  #find(id: string): Unsent | undefined {
    return this.#all.peek().find((unsent) => unsent.id === id);
  }

  #fail(id: string, words: string): void {
    const unsent = this.#find(id);
    if (unsent) this.#put({ ...unsent, state: 'failed', words });
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
    const arrived = this.#all.peek().find(({ draftKey, text }) => draftKey === place && text === data.text);
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
    return all.map((unsent) => this.#judged(unsent)).sort((one, other) => one.at.localeCompare(other.at));
  }

  /** What this tab was sending before it was loaded anew, nobody sends any more. Another tab may still be at it. */
  #judged(unsent: Unsent): Unsent {
    if (unsent.state === 'failed') return unsent;
    const abandoned: Unsent = { ...unsent, state: 'failed', words: INTERRUPTED };
    const age = Date.now() - Date.parse(unsent.at);
    if (unsent.tab === this.#tab || !(age < ABANDONED_MS)) return abandoned;
    setTimeout(() => {
      if (this.#find(unsent.id)?.state === 'sending') this.#put(abandoned);
    }, ABANDONED_MS - age);
    return unsent;
  }
}

/** Leaves it to another tab that is at it. Where pages come over plain HTTP browsers have no locks: there nobody can tell. */
async function ifAlone(name: string, run: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return run();
  await locks.request(name, { ifAvailable: true }, (lock) => (lock ? run() : undefined));
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
