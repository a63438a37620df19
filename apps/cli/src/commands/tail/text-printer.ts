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

/** Where and when something happened; without a time it was while nobody listened. */
interface Occasion {
  hub: NamedHub;
  at: number | undefined;
}

type ItemEvent = Extract<EventFrame, { data: { kind: unknown } }>;

/** For people: what happened, in words, in the manner of a chat. */
export class TextPrinter implements Printer {
  readonly #cli: Cli;
  readonly #entries: Entries;
  readonly #memory = new ItemMemory();
  readonly #names: UserNames;
  /** The thread that was shown last. What goes on with it need not say what it answers. */
  #thread: string | undefined;

  constructor(cli: Cli, isSeveral: boolean) {
    this.#cli = cli;
    this.#entries = new Entries(cli, isSeveral);
    this.#names = new UserNames(cli);
  }

  remember(items: readonly Item[]): void {
    for (const item of items) {
      this.#memory.put(item);
      if (item.author.kind === 'person') this.#names.note(item.author.id, item.author.name);
    }
  }

  async item(hub: NamedHub, item: Item): Promise<void> {
    this.remember([item]);
    await this.#show({ hub, at: Date.parse(item.createdAt) }, item);
  }

  async event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void> {
    const occasion = { hub, at: isLive ? this.#cli.deps.clock.now() : undefined };
    if (isItemEvent(event)) return this.#itemEvent(occasion, event);
    if (event.event.startsWith('member.') && 'id' in event.data) this.#names.note(event.data.id, event.data.name);
    const line = hubEventLine(hub, event);
    if (line) await this.#print({ ...occasion, lines: [line] });
  }

  async reset({ name }: NamedHub): Promise<void> {
    this.#cli.output.quiet(`${name}: not all that happened meanwhile can be told. What is new follows, as it is now.`);
  }

  async ended({ name }: NamedHub, { message }: FollowEnd): Promise<void> {
    this.#cli.output.quiet(`${name} is not followed any more: ${message}`);
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
      // Its deletion follows, and is all that there is to tell.
    } else if (what === 'created') {
      await this.#show({ ...occasion, at: Date.parse(item.createdAt) }, item);
    } else if (what === 'restored' || !before) {
      // Without knowing what it was, all that can be told is what it is now.
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
    // What it became has just been shown, and says what it was made of.
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
    const responses = this.#thread === item.parentId ? 'above' : { text: await this.#responded(item) };
    await this.#print({ ...occasion, lines, responses }, item.parentId);
  }

  /** What a reply answers may be older than all that was shown. */
  async #responded({ parentId }: Message): Promise<string> {
    if (parentId === null) return '';
    const parent = this.#memory.get(parentId) ?? (await this.#load(parentId));
    return parent === undefined || parent.hint === '' ? 'a message that was deleted' : named(parent);
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
