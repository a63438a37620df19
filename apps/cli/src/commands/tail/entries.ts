import type { Cli } from '../../runtime/cli.ts';
import { allWritten } from '../../runtime/output-errors.ts';
import { type Line, type Segment, type Style, styled } from '../../runtime/segments.ts';
import { shortened, wrapLine } from '../../runtime/wrap-line.ts';
import type { NamedHub } from './printer.ts';

/** One printed event or item. */
export interface Entry {
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
export class Entries {
  readonly #cli: Cli;
  readonly #hasSeveralHubs: boolean;
  #day: string;

  constructor(cli: Cli, hasSeveralHubs: boolean) {
    this.#cli = cli;
    this.#hasSeveralHubs = hasSeveralHubs;
    this.#day = dayOf(cli.deps.clock.now());
  }

  /** Resolves when the entry is written. @throws if it could not be written. */
  async print({ hub, at, lines: [first = [], ...others], replyTo }: Entry): Promise<void> {
    const { output, deps } = this.#cli;
    if (at !== undefined) this.#startDay(dayOf(at));
    const time = styled('dim', (at === undefined ? '' : timeOf(at)).padEnd(TIME_WIDTH));
    const before: Line = [time, ...(this.#hasSeveralHubs ? [hubLabel(hub), '  '] : [])];
    const indent = replyTo === undefined ? INDENT : TIME_WIDTH + ARROW.length;
    const rows: Line[] = [];
    if (typeof replyTo === 'object') {
      const room = (output.columns ?? 100) - widthOf(before) - ARROW.length;
      rows.push([...before, styled('dim', `${ARROW}${shortened(replyTo.text, Math.max(20, room))}`)]);
      rows.push(...this.#wrapped(first, [' '.repeat(indent)], indent));
    } else {
      const arrow = replyTo === 'above' ? [styled('dim', ARROW)] : [];
      rows.push(...this.#wrapped(first, [...before, ...arrow], indent));
    }
    for (const line of others) {
      rows.push(...(widthOf(line) === 0 ? [[]] : this.#wrapped(line, [' '.repeat(indent)], indent)));
    }
    for (const row of this.#fitting(rows, indent)) output.line(...row);
    await allWritten(deps.stdout);
  }

  #wrapped(line: Line, before: Line, indent: number): Line[] {
    const { columns } = this.#cli.output;
    return columns === undefined ? [[...before, ...line]] : wrapLine(line, { before, indent, width: columns });
  }

  #fitting(rows: Line[], indent: number): Line[] {
    if (this.#cli.output.columns === undefined || rows.length <= MAX_ROWS) return rows;
    const left = rows.length - MAX_ROWS + 1;
    return [...rows.slice(0, MAX_ROWS - 1), [' '.repeat(indent), styled('dim', `… ${left} more lines`)]];
  }

  #startDay(day: string): void {
    if (day !== this.#day) this.#cli.output.line(styled('dim', `--- ${day} ---`));
    this.#day = day;
  }
}

/** Returns the name of a Hub in a color derived from its ID. */
function hubLabel({ id, name }: NamedHub): Segment {
  const index = Number(BigInt(Bun.hash(id)) % BigInt(HUB_STYLES.length));
  return styled(HUB_STYLES[index] ?? 'cyan', name);
}

function widthOf(line: Line): number {
  return Bun.stringWidth(line.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join(''));
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
