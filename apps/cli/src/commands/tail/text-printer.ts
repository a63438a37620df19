import type { EventFrame, FollowEnd } from '@hub/client/live';
import type { Item, Message } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { changeLine } from './change-line.ts';
import { Entries, type Entry } from './entries.ts';
import { hubEventLine } from './hub-event-line.ts';
import { type Change, changesOf } from './item-changes.ts';
import { deletionLine, itemLines, named, stateLines } from './item-lines.ts';
import { ItemMemory, type Snapshot } from './item-memory.ts';
import type { NamedHub, Printer } from './printer.ts';
import { UserNames } from './user-names.ts';

/** The Hub and the time of an event. The time is undefined if the event happened while disconnected. */
interface Occasion {
  hub: NamedHub;
  at: number | undefined;
}

type ItemEvent = Extract<EventFrame, { data: { kind: unknown } }>;

/** Prints events as text, in the style of a chat. */
export class TextPrinter implements Printer {
  readonly #cli: Cli;
  readonly #entries: Entries;
  readonly #memory = new ItemMemory();
  readonly #names: UserNames;
  /** The thread shown last. Further replies in it are shown without their parent. */
  #thread: string | undefined;

  constructor(cli: Cli, hasSeveralHubs: boolean) {
    this.#cli = cli;
    this.#entries = new Entries(cli, hasSeveralHubs);
    this.#names = new UserNames(cli);
  }

  remember(items: readonly Item[]): void {
    for (const item of items) {
      this.#memory.put(item);
      if (item.author.kind === 'person') this.#names.set(item.author.id, item.author.name);
    }
  }

  async item(hub: NamedHub, item: Item): Promise<void> {
    this.remember([item]);
    await this.#show({ hub, at: Date.parse(item.createdAt) }, item);
  }

  async event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void> {
    const occasion = { hub, at: isLive ? this.#cli.deps.clock.now() : undefined };
    if (isItemEvent(event)) return this.#itemEvent(occasion, event);
    if (event.event.startsWith('member.') && 'id' in event.data) this.#names.set(event.data.id, event.data.name);
    const line = hubEventLine(hub, event);
    if (line) await this.#print({ ...occasion, lines: [line] });
  }

  async reset({ name }: NamedHub): Promise<void> {
    this.#cli.output.quiet(`${name}: some events are no longer available. Showing new items in their current state.`);
  }

  async ended({ name }: NamedHub, { message }: FollowEnd): Promise<void> {
    this.#cli.output.quiet(`No longer following ${name}: ${message}`);
  }

  async #itemEvent(occasion: Occasion, { event, data }: ItemEvent): Promise<void> {
    const before = this.#memory.get(data.id);
    const item = 'createdAt' in data ? (data as Item) : undefined;
    if (item) this.remember([item]);
    const what = event.slice(event.indexOf('.') + 1);
    if (what === 'deleted') {
      const line = deletionLine(data.kind, before ?? this.#memory.get(data.id));
      await this.#print({ ...occasion, at: timeOr(data.deletedAt, occasion), lines: [line] });
    } else if (!item || item.deletedAt !== null) {
      // Skip it: its deletion follows.
    } else if (what === 'created') {
      await this.#show({ ...occasion, at: Date.parse(item.createdAt) }, item);
    } else if (what === 'restored' || !before) {
      // Without the previous state, show the current one.
      await this.#show(occasion, item, what);
    } else {
      for (const change of changesOf(before, item)) await this.#changed(occasion, item, change);
    }
  }

  async #changed(occasion: Occasion, item: Item, change: Change): Promise<void> {
    if (change.kind === 'edited') {
      return this.#show(
        { ...occasion, at: timeOr(item.editedAt, occasion) },
        item,
        item.editedBy ? `edited by ${item.editedBy.name}` : 'edited',
      );
    }
    // The new item has just been shown, along with its source message.
    if (change.kind === 'converted' && this.#memory.get(change.id)) return;
    const who = 'personId' in change ? await this.#names.of(change.personId, occasion.hub.id) : '';
    const at = change.kind === 'finished' && item.kind === 'todo' ? timeOr(item.finishedAt, occasion) : occasion.at;
    await this.#print({ ...occasion, at, lines: [changeLine(item, change, who)] });
  }

  async #show(occasion: Occasion, item: Item, label?: string): Promise<void> {
    const source = 'sourceId' in item && item.sourceId !== null ? this.#memory.get(item.sourceId) : undefined;
    const state = label?.startsWith('edited') ? [] : stateLines(item);
    const lines = [...itemLines(item, { label, source }), ...state];
    if (item.kind !== 'message' || item.parentId === null) return this.#print({ ...occasion, lines }, item.id);
    const replyTo = this.#thread === item.parentId ? 'above' : { text: await this.#parentText(item) };
    await this.#print({ ...occasion, lines, replyTo }, item.parentId);
  }

  /** Describes the parent of a reply, which may be older than everything shown. */
  async #parentText({ parentId }: Message): Promise<string> {
    if (parentId === null) return '';
    const parent = this.#memory.get(parentId) ?? (await this.#load(parentId));
    return parent === undefined || parent.hint === '' ? 'a deleted message' : named(parent);
  }

  async #load(id: string): Promise<Snapshot | undefined> {
    try {
      this.remember([await this.#cli.api.get<Item>(`/items/${segment(id)}`)]);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
    }
    return this.#memory.get(id);
  }

  async #print(entry: Entry, thread?: string): Promise<void> {
    this.#thread = thread;
    await this.#entries.print(entry);
  }
}

function isItemEvent(event: EventFrame): event is ItemEvent {
  return 'kind' in event.data;
}

function timeOr(time: string | null, { at }: Occasion): number | undefined {
  return time === null ? at : Date.parse(time);
}
