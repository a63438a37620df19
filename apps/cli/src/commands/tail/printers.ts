import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { allWritten, type Line, styled } from '../../runtime/output.ts';
import { shortened } from '../../runtime/terminal-text.ts';
import type { NamedHub } from './item-lines.ts';
import { changedLine, hubEventLine, itemLines, NOUNS, named, stateOf } from './item-lines.ts';

/**
 * The output of `tail`, as text or JSON. Each call resolves when its output is written, so that a slow reader slows
 * down the printing. Nothing else is printed until then.
 */
export interface Printer {
  /** Whether each entry names its Hub. */
  hasSeveralHubs: boolean;
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
export function jsonPrinter({ output, deps }: Cli): Printer {
  const print = (line: object): Promise<void> => {
    output.jsonLine(line);
    return allWritten(deps.stdout);
  };
  return {
    hasSeveralHubs: true,
    item: (_, item) => print({ type: 'item', hubId: item.hubId, event: `${item.kind}.created`, data: item }),
    event: (_, event) => print(event),
    reset: ({ id }, { seq, epoch }) => print({ type: 'reset', hubId: id, seq, epoch }),
    ended: ({ id }, { code, message }) => print({ type: 'error', code, message, hubId: id }),
  };
}

/** The Hub and the time of an event, in milliseconds since 1970; undefined if it happened while disconnected. */
interface Occasion {
  hub: NamedHub;
  at: number | undefined;
}

type ItemEvent = Extract<EventFrame, { data: { kind: unknown } }>;

const TIME_WIDTH = 'hh:mm:ss '.length;
const ARROW = '  ↳ ';
/** The maximum number of terminal rows for one entry. Files and pipes get the whole entry. */
const MAX_ROWS = 40;

/** Prints events as text, in the style of a chat: the time, the Hub if there are several, then the text. */
export class TextPrinter implements Printer {
  hasSeveralHubs = true;
  #day: string;
  /** The thread shown last. Further replies in it are shown without their parent. */
  #thread: string | undefined;
  /** The item that the next event changes only because the last one replies to it, or was made of it. */
  #expected: string | undefined;

  constructor(private readonly cli: Cli) {
    this.#day = dayOf(cli.deps.clock.now());
  }

  async item(hub: NamedHub, item: Item): Promise<void> {
    await this.#show({ hub, at: Date.parse(item.createdAt) }, item);
  }

  async event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void> {
    const occasion = { hub, at: isLive ? this.cli.deps.clock.now() : undefined };
    if (isItemEvent(event)) return this.#itemEvent(occasion, event);
    const line = hubEventLine(hub, event);
    if (line) await this.#print(occasion, [line]);
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
      await this.#print({ ...occasion, at }, [[`A ${NOUNS[data.kind]} was `, styled('red', 'deleted')]]);
    } else if (!item || item.deletedAt !== null) {
      // Skip it: its deletion follows.
    } else if (what === 'created') {
      await this.#show({ ...occasion, at: Date.parse(item.createdAt) }, item);
    } else if (what === 'restored') {
      await this.#show(occasion, item, what);
    } else {
      await this.#print(occasion, [changedLine(item)]);
    }
  }

  /** Shows an item; a reply below its parent, unless that is the entry above or belongs to the same thread. */
  async #show(occasion: Occasion, item: Item, label?: string): Promise<void> {
    const parentId = item.kind === 'message' ? item.parentId : null;
    const isFollowUp = parentId !== null && this.#thread === parentId;
    const state = stateOf(item);
    const [first = [], ...others] = itemLines(item, label);
    const lines = [isFollowUp ? [arrow(), ...first] : first, ...others];
    if (parentId !== null && !isFollowUp) {
      const room = Math.max(20, (this.cli.output.columns ?? 100) - TIME_WIDTH - ARROW.length);
      lines.unshift([arrow(shortened(await this.#nameOf(parentId), room))]);
    }
    if (state !== '') lines.push([styled('dim', state)]);
    await this.#print(occasion, lines, parentId === null ? 2 : ARROW.length);
    this.#thread = parentId ?? item.id;
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

  /** Resolves when the entry is written. @throws if it could not be written. */
  async #print({ hub, at }: Occasion, [first = [], ...others]: readonly Line[], indent = 2): Promise<void> {
    const { output, deps } = this.cli;
    const day = at === undefined ? this.#day : dayOf(at);
    if (day !== this.#day) output.line(styled('dim', `--- ${day} ---`));
    this.#day = day;
    this.#thread = undefined;
    const time = styled('dim', (at === undefined ? '' : new Date(at).toTimeString().slice(0, 8)).padEnd(TIME_WIDTH));
    const before: Line = [time, ...(this.hasSeveralHubs ? [styled('cyan', hub.name), '  '] : [])];
    output.block([[...before, ...first], ...others], TIME_WIDTH + indent, MAX_ROWS);
    await allWritten(deps.stdout);
  }
}

const arrow = (text = '') => styled('dim', ARROW + text);

function originOf(item: Item): string | undefined {
  return (item.kind === 'message' ? item.parentId : item.sourceId) ?? undefined;
}

function isItemEvent(event: EventFrame): event is ItemEvent {
  return 'kind' in event.data;
}

/** `Sun 2026-03-01`, in local time */
function dayOf(ms: number): string {
  const time = new Date(ms);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.toDateString().slice(0, 3)} ${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
