import { createHash } from 'node:crypto';
import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item, Message } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { allWritten, type Line, type Segment, type Style, styled, textOf } from '../../runtime/output.ts';
import { plainLine, shortened, textWidth } from '../../runtime/terminal-text.ts';
import type { NamedHub } from './item-lines.ts';
import { changeLine, deletionLine, hubEventLine, itemLines, named, stateLines } from './item-lines.ts';
import { type Change, changesOf, ItemMemory, type Snapshot } from './item-memory.ts';

/**
 * The output of `tail`, as text or JSON. Each call resolves when its output is written, so that a slow reader slows
 * down the printing. Nothing else is printed until then.
 */
export interface Printer {
  /** Prints an earlier item from a list. */
  item(hub: NamedHub, item: Item): Promise<void>;
  /** Stores items without printing them, to compare later events with them. */
  remember(items: readonly Item[]): void;
  /** Prints an event. `isLive`: it has just happened and is not a replay. */
  event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void>;
  /** Reports that events are missing. New items follow. */
  reset(hub: NamedHub, position: Position): Promise<void>;
  /** Reports that a Hub is no longer followed. */
  ended(hub: NamedHub, end: FollowEnd): Promise<void>;
}

/** Prints one JSON document per line: the server's frames unchanged, and earlier items in a similar form. */
export class JsonPrinter implements Printer {
  constructor(private readonly cli: Cli) {}

  item(_: NamedHub, item: Item): Promise<void> {
    return this.#print({ type: 'item', hubId: item.hubId, event: `${item.kind}.created`, data: item });
  }

  remember(): void {}

  event(_: NamedHub, event: EventFrame): Promise<void> {
    return this.#print(event);
  }

  reset({ id }: NamedHub, { seq, epoch }: Position): Promise<void> {
    return this.#print({ type: 'reset', hubId: id, seq, epoch });
  }

  ended({ id }: NamedHub, { code, message }: FollowEnd): Promise<void> {
    return this.#print({ type: 'error', code, message, hubId: id });
  }

  #print(line: object): Promise<void> {
    this.cli.output.jsonLine(line);
    return allWritten(this.cli.deps.stdout);
  }
}

/** The Hub and the time of an event. The time is undefined if the event happened while disconnected. */
interface Occasion {
  hub: NamedHub;
  at: number | undefined;
}

type ItemEvent = Extract<EventFrame, { data: { kind: unknown } }>;

/** Prints events as text, in the style of a chat. */
export class TextPrinter implements Printer {
  readonly #entries: Entries;
  readonly #memory = new ItemMemory();
  readonly #names: UserNames;
  /** The thread shown last. Further replies in it are shown without their parent. */
  #thread: string | undefined;

  constructor(
    private readonly cli: Cli,
    hasSeveralHubs: boolean,
  ) {
    this.#entries = new Entries(cli, hasSeveralHubs);
    this.#names = new UserNames(cli);
  }

  remember(items: readonly Item[]): void {
    for (const item of items) {
      this.#memory.put(item);
      if (item.author.kind === 'user') this.#names.set(item.author.id, item.author.name);
    }
  }

  async item(hub: NamedHub, item: Item): Promise<void> {
    this.remember([item]);
    await this.#show({ hub, at: Date.parse(item.createdAt) }, item);
  }

  async event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void> {
    const occasion = { hub, at: isLive ? this.cli.deps.clock.now() : undefined };
    if (isItemEvent(event)) return this.#itemEvent(occasion, event);
    if (event.event.startsWith('member.') && 'id' in event.data) this.#names.set(event.data.id, event.data.name);
    const line = hubEventLine(hub, event);
    if (line) await this.#print({ ...occasion, lines: [line] });
  }

  async reset({ name }: NamedHub): Promise<void> {
    this.cli.output.quiet(`${name}: some events are no longer available. Showing new items in their current state.`);
  }

  async ended({ name }: NamedHub, { message }: FollowEnd): Promise<void> {
    this.cli.output.quiet(`No longer following ${name}: ${message}`);
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
    const who = 'userId' in change ? await this.#names.of(change.userId, occasion.hub.id) : '';
    const at = change.kind === 'finished' && item.kind === 'todo' ? timeOr(item.finishedAt, occasion) : occasion.at;
    await this.#print({ ...occasion, at, lines: [changeLine(item, change, who)] });
  }

  async #show(occasion: Occasion, item: Item, label?: string): Promise<void> {
    const source = 'sourceId' in item && item.sourceId !== null ? this.#memory.get(item.sourceId) : undefined;
    const state = label?.startsWith('edited') ? [] : stateLines(item);
    const { columns } = this.cli.output;
    const room = columns === undefined ? 0 : Math.max(MIN_ROOM, columns - TIME_WIDTH - ARROW.length);
    const lines = [...itemLines(item, { label, source, columns: room }), ...state];
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
      this.remember([await this.cli.api.request('GET /items/{itemId}', { itemId: id })]);
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

/** One printed event or item. */
interface Entry {
  hub: NamedHub;
  /** Milliseconds since 1970; undefined if unknown. */
  at: number | undefined;
  /** The first line is printed next to the time, the others below it. */
  lines: readonly Line[];
  /** For a reply, the parent message; `above` if the previous entry belongs to the same thread. */
  replyTo?: { text: string } | 'above' | undefined;
}

const TIME_WIDTH = 'hh:mm:ss '.length;
const INDENT = TIME_WIDTH + 2;
const ARROW = '  ↳ ';
/** The minimum width of rendered Markdown. */
const MIN_ROOM = 20;
/** The maximum number of terminal rows for one entry. Files and pipes get the whole entry. */
const MAX_ROWS = 40;
const HUB_STYLES: readonly Style[] = ['cyan', 'magenta', 'blue', 'yellow', 'green'];

/** Prints entries: the time, the Hub if there are several, then the text, wrapped to the terminal. */
class Entries {
  #day: string;

  constructor(
    private readonly cli: Cli,
    private readonly hasSeveralHubs: boolean,
  ) {
    this.#day = dayOf(cli.deps.clock.now());
  }

  /** Resolves when the entry is written. @throws if it could not be written. */
  async print({ hub, at, lines: [first = [], ...others], replyTo }: Entry): Promise<void> {
    const { output, deps } = this.cli;
    if (at !== undefined) this.#startDay(dayOf(at));
    const time = styled('dim', (at === undefined ? '' : timeOf(at)).padEnd(TIME_WIDTH));
    const before: Line = [time, ...(this.hasSeveralHubs ? [hubLabel(hub), '  '] : [])];
    const indent = replyTo === undefined ? INDENT : TIME_WIDTH + ARROW.length;
    const below = (line: Line) => ({ before: textOf(line).trim() === '' ? [] : [' '.repeat(indent)], line, indent });
    const rest = others.map(below);
    if (typeof replyTo === 'object') {
      const room = Math.max(20, (output.columns ?? 100) - textWidth(textOf(before)) - ARROW.length);
      const parent = [styled('dim', `${ARROW}${shortened(plainLine(replyTo.text), room)}`)];
      output.wrapped([{ before, line: parent, indent }, below(first), ...rest], MAX_ROWS);
    } else {
      const arrow = replyTo === 'above' ? [styled('dim', ARROW)] : [];
      output.wrapped([{ before: [...before, ...arrow], line: first, indent }, ...rest], MAX_ROWS);
    }
    await allWritten(deps.stdout);
  }

  #startDay(day: string): void {
    if (day !== this.#day) this.cli.output.line(styled('dim', `--- ${day} ---`));
    this.#day = day;
  }
}

/** Returns the name of a Hub in a color derived from its ID. */
function hubLabel({ id, name }: NamedHub): Segment {
  const index = createHash('md5').update(id).digest().readUInt32LE() % HUB_STYLES.length;
  return styled(HUB_STYLES[index] ?? 'cyan', name);
}

/** Returns the local time: `09:30:00`. */
function timeOf(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** `Sun 2026-03-01` */
function dayOf(ms: number): string {
  const time = new Date(ms);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.toDateString().slice(0, 3)} ${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** Names of users that events identify only by ID. */
class UserNames {
  readonly #names = new Map<string, string>();

  constructor(private readonly cli: Cli) {}

  set(id: string, name: string): void {
    this.#names.set(id, name);
  }

  /** Returns the name of a user. If the name is unknown, lists the members of the Hub, but only once for each user. */
  async of(id: string, hubId: string): Promise<string> {
    const cached = this.#names.get(id);
    if (cached !== undefined) return cached;
    try {
      const members = await this.cli.api.all('GET /hubs/{hubId}/members', { hubId });
      for (const member of members) this.set(member.id, member.name);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
    }
    const name = this.#names.get(id) ?? 'Someone';
    this.set(id, name);
    return name;
  }
}
