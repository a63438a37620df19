import { createHash } from 'node:crypto';
import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { allWritten, type Line, type Segment, type Style, styled, textOf } from '../../runtime/output.ts';
import { plainLine, shortened, textWidth } from '../../runtime/terminal-text.ts';
import type { NamedHub } from './item-lines.ts';
import { changedLine, hubEventLine, itemLines, NOUNS, named, stateOf } from './item-lines.ts';

/**
 * The output of `tail`, as text or JSON. Each call resolves when its output is written, so that a slow reader slows
 * down the printing. Nothing else is printed until then.
 */
export interface Printer {
  /** Prints an earlier item from a list. */
  item(hub: NamedHub, item: Item): Promise<void>;
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
  /** The thread shown last. Further replies in it are shown without their parent. */
  #thread: string | undefined;
  /** The item that the next event changes only because the last one replies to it, or was made of it. */
  #expected: string | undefined;

  constructor(
    private readonly cli: Cli,
    hasSeveralHubs: boolean,
  ) {
    this.#entries = new Entries(cli, hasSeveralHubs);
  }

  async item(hub: NamedHub, item: Item): Promise<void> {
    await this.#show({ hub, at: Date.parse(item.createdAt) }, item);
  }

  async event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void> {
    const occasion = { hub, at: isLive ? this.cli.deps.clock.now() : undefined };
    if (isItemEvent(event)) return this.#itemEvent(occasion, event);
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
    const item = 'createdAt' in data ? (data as Item) : undefined;
    const what = event.slice(event.indexOf('.') + 1);
    const isExpected = what === 'changed' && data.id === this.#expected;
    this.#expected = item && what === 'created' ? originOf(item) : undefined;
    if (isExpected) return;
    if (what === 'deleted') {
      const at = data.deletedAt === null ? occasion.at : Date.parse(data.deletedAt);
      await this.#print({ ...occasion, at, lines: [[`A ${NOUNS[data.kind]} was `, styled('red', 'deleted')]] });
    } else if (!item || item.deletedAt !== null) {
      // Skip it: its deletion follows.
    } else if (what === 'created') {
      await this.#show({ ...occasion, at: Date.parse(item.createdAt) }, item);
    } else if (what === 'restored') {
      await this.#show(occasion, item, what);
    } else {
      await this.#print({ ...occasion, lines: [changedLine(item)] });
    }
  }

  async #show(occasion: Occasion, item: Item, label?: string): Promise<void> {
    const state = stateOf(item);
    const lines = [...itemLines(item, label), ...(state === '' ? [] : [[styled('dim', state)]])];
    if (item.kind !== 'message' || item.parentId === null) return this.#print({ ...occasion, lines }, item.id);
    const { parentId } = item;
    const replyTo = this.#thread === parentId ? 'above' : { text: await this.#nameOf(parentId) };
    await this.#print({ ...occasion, lines, replyTo }, parentId);
  }

  /** Describes the parent of a reply. */
  async #nameOf(itemId: string): Promise<string> {
    try {
      return named(await this.cli.api.request('GET /items/{itemId}', { itemId }));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return 'a deleted message';
    }
  }

  async #print(entry: Entry, thread?: string): Promise<void> {
    this.#thread = thread;
    await this.#entries.print(entry);
  }
}

function originOf(item: Item): string | undefined {
  return (item.kind === 'message' ? item.parentId : item.sourceId) ?? undefined;
}

function isItemEvent(event: EventFrame): event is ItemEvent {
  return 'kind' in event.data;
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
