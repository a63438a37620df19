import type { Cli } from '../../runtime/cli.ts';
import type { Line } from '../../runtime/markdown-lines.ts';
import { type Segment, type Style, styled } from '../../runtime/output.ts';
import { shortened, wrapLine } from '../../runtime/wrap-line.ts';
import { allWritten } from '../../runtime/written.ts';
import type { NamedHub } from './printer.ts';

/** Something that happened. */
export interface Entry {
  hub: NamedHub;
  /** Milliseconds since 1970; undefined: some time ago. */
  at: number | undefined;
  /** The first stands beside the time, the others below it. */
  lines: readonly Line[];
  /** Of a reply: what it answers, or that this is plain from what stands above. */
  responses?: { text: string } | 'above' | undefined;
}

const TIME_WIDTH = 'hh:mm:ss '.length;
const INDENT = TIME_WIDTH + 2;
const ARROW = '  ↳ ';
/** Rows of a terminal that one entry may fill; files and pipes get all of it. */
const MAX_ROWS = 40;
const HUB_STYLES: readonly Style[] = ['cyan', 'magenta', 'blue', 'yellow', 'green'];

/** Lays out what happened: the time, the Hub if there are several, then what, broken into lines that fit. */
export class Entries {
  readonly #cli: Cli;
  readonly #isSeveral: boolean;
  #day: string;

  constructor(cli: Cli, isSeveral: boolean) {
    this.#cli = cli;
    this.#isSeveral = isSeveral;
    this.#day = dayOf(cli.deps.clock.now());
  }

  /** Resolves when it has left. @throws if it could not be written. */
  async print({ hub, at, lines: [first = [], ...others], responses }: Entry): Promise<void> {
    const { output, deps } = this.#cli;
    if (at !== undefined) this.#turnTheDay(dayOf(at));
    const time = styled('dim', (at === undefined ? '' : timeOf(at)).padEnd(TIME_WIDTH));
    const before: Line = [time, ...(this.#isSeveral ? [hubLabel(hub), '  '] : [])];
    const indent = responses === undefined ? INDENT : TIME_WIDTH + ARROW.length;
    const rows: Line[] = [];
    if (typeof responses === 'object') {
      const room = (output.columns ?? 100) - widthOf(before) - ARROW.length;
      rows.push([...before, styled('dim', `${ARROW}${shortened(responses.text, Math.max(20, room))}`)]);
      rows.push(...this.#wrapped(first, [' '.repeat(indent)], indent));
    } else {
      const arrow = responses === 'above' ? [styled('dim', ARROW)] : [];
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

  #turnTheDay(day: string): void {
    if (day !== this.#day) this.#cli.output.line(styled('dim', `--- ${day} ---`));
    this.#day = day;
  }
}

/** Of the same Hub always the same colour. */
function hubLabel({ id, name }: NamedHub): Segment {
  const index = Number(BigInt(Bun.hash(id)) % BigInt(HUB_STYLES.length));
  return styled(HUB_STYLES[index] ?? 'cyan', name);
}

function widthOf(line: Line): number {
  return Bun.stringWidth(line.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join(''));
}

/** By the clock on the wall, as in a chat: `09:30:00`. */
function timeOf(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** `Sun 2026-03-01` */
function dayOf(ms: number): string {
  const time = new Date(ms);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.toDateString().slice(0, 3)} ${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
