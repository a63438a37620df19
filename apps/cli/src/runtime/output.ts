import { Chalk, type ChalkInstance } from 'chalk';
import type { Deps, Sink } from './deps.ts';
import { type CliError, failed, fileReason } from './errors.ts';
import { plainLine, plainText, printableJson, wrapText } from './terminal-text.ts';

export type Style =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'green'
  | 'yellow'
  | 'red'
  | 'cyan'
  | 'blue'
  | 'magenta'
  | 'gray';

/** A part of a line. Its text may be untrusted: it is sanitized when it is printed. */
interface Styled {
  readonly text: string;
  /** One style, or several combined. */
  readonly style: Style | readonly Style[];
  /** The width that a table may shorten the text to. Without it, the text stays complete. */
  readonly minWidth?: number;
}
export type Segment = string | Styled;

export function styled(style: Style, text: string): Styled {
  return { text, style };
}

/** A line of terminal output. */
export type Line = Segment[];

export function textOf(line: Line): string {
  return line.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('');
}

interface OutputOptions {
  json: boolean;
  color: boolean;
}

/**
 * The only way to write output. Results go to standard output, everything else to standard error. With `--json`,
 * standard output contains a single document, or one per line for commands that stream. All text passes through
 * `plainLine` here, so that no command can forget it.
 */
export class Output {
  json = false;
  #out: ChalkInstance;
  #err: ChalkInstance;

  constructor(
    private readonly deps: Pick<Deps, 'env' | 'stdout' | 'stderr'>,
    options: OutputOptions,
  ) {
    this.#out = this.#err = new Chalk({ level: 0 });
    this.configure(options);
  }

  configure({ json, color }: OutputOptions): void {
    this.json = json;
    this.#out = new Chalk({ level: color && takesColor(this.deps.env, this.deps.stdout) ? 1 : 0 });
    this.#err = new Chalk({ level: color && takesColor(this.deps.env, this.deps.stderr) ? 1 : 0 });
  }

  /** The width of the terminal; undefined if results go to a file or a pipe. */
  get columns(): number | undefined {
    return this.deps.stdout.isTTY ? (this.deps.stdout.columns ?? 80) : undefined;
  }

  /** Writes the JSON document: indented in a terminal, else on one line. */
  document(value: unknown): void {
    this.deps.stdout.write(`${printableJson(value, this.deps.stdout.isTTY ? 2 : 0)}\n`);
  }

  /** Writes one of many JSON documents on its own line, for commands that stream. */
  jsonLine(value: unknown): void {
    this.deps.stdout.write(`${printableJson(value)}\n`);
  }

  /** Writes the result of a command: the JSON document, or a sentence. */
  result(document: unknown, ...segments: Segment[]): void {
    if (this.json) this.document(document);
    else this.sentence(...segments);
  }

  /** Writes a sentence of the result, which in a terminal is wrapped. */
  sentence(...segments: Segment[]): void {
    for (const row of proseRows(paint(this.#out, segments), this.columns)) this.deps.stdout.write(`${row}\n`);
  }

  /** Writes one line of the result as text. */
  line(...segments: Segment[]): void {
    this.deps.stdout.write(`${paint(this.#out, segments)}\n`);
  }

  /** Writes lines, of which all but the first are indented; in a terminal, they are wrapped, and end after `maxRows`. */
  block(lines: readonly Line[], indent: number, maxRows = Infinity): void {
    const { columns } = this;
    const rows = lines
      .map((line) => paint(this.#out, line))
      .flatMap((text) => (columns === undefined ? [text] : wrapText(text, columns - indent)))
      .map((row, index) => (index === 0 || row === '' ? row : ' '.repeat(indent) + row));
    const isLong = columns !== undefined && rows.length > maxRows;
    for (const row of isLong ? rows.slice(0, maxRows - 1) : rows) this.deps.stdout.write(`${row}\n`);
    if (isLong) this.line(' '.repeat(indent), styled('dim', `… ${rows.length - maxRows + 1} more lines`));
  }

  /** Writes a line to standard error, in a terminal wrapped. Suggested commands can be typed as they are. */
  note(...segments: Segment[]): void {
    const { isTTY, columns = 80 } = this.deps.stderr;
    const text = typeable(paint(this.#err, segments), this.deps.env);
    for (const row of proseRows(text, isTTY ? columns : undefined)) this.deps.stderr.write(`${row}\n`);
  }

  /** Suggests the next step after a result, on standard error. With `--json`, writes nothing. */
  hint(text: string): void {
    if (!this.json) this.note(styled('dim', text));
  }

  /** Replaces the last line of standard error, which must be a terminal; with an empty text, removes it. */
  redraw(text: string): void {
    const { columns = 80 } = this.deps.stderr;
    const line = [...plainLine(text)].slice(0, columns - 1).join('');
    this.deps.stderr.write(`\r\x1b[2K${line === '' ? '' : this.#err.dim(line)}`);
  }

  warn(text: string): void {
    this.note(styled('yellow', 'warning: '), text);
  }

  /** Writes a dimmed status line to standard error, for commands that stream. */
  quiet(text: string): void {
    this.note(styled('dim', `-- ${text}`));
  }

  /** Writes trusted text (help, completion scripts) unchanged. */
  raw(text: string): void {
    this.deps.stdout.write(text);
  }

  /** Writes the help after a usage error. */
  rawNote(text: string): void {
    this.deps.stderr.write(text);
  }

  failure(error: CliError): void {
    // If standard output has failed, it cannot carry the error either.
    if (this.json && error.code !== UNWRITABLE) {
      this.document({ error });
      return;
    }
    if (error.code === 'cancelled') {
      this.note(error.message);
      return;
    }
    // Server messages may have several lines, such as a list of validation errors.
    this.#text([styled('red', 'error:'), ' '], error.message);
    if (error.details.hint !== undefined) this.#text([], error.details.hint);
    if (error.details.requestId !== undefined && (error.details.statusCode ?? 0) >= 500) {
      this.note(styled('dim', `Request ID for the server's log: ${error.details.requestId}`));
    }
  }

  /** Writes several lines, the first of them with a prefix. */
  #text(before: Segment[], text: string): void {
    for (const [index, line] of plainText(text).split('\n').entries()) {
      this.note(...(index === 0 ? before : []), line);
    }
  }
}

/** Follows no-color.org and force-color.org; no colors for TERM=dumb. */
function takesColor(env: Deps['env'], sink: Sink): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return sink.isTTY && env.TERM !== 'dumb';
}

function paint(chalk: ChalkInstance, segments: Segment[]): string {
  return segments
    .map((segment) => {
      if (typeof segment === 'string') return plainLine(segment);
      return [segment.style].flat().reduce((text, style) => chalk[style](text), plainLine(segment.text));
    })
    .join('');
}

/** The error code for a failed write to standard output, which is reported on standard error even with `--json`. */
export const UNWRITABLE = 'unwritable';

export function unwritableReason(problem: string): string {
  return problem === 'EBADF' ? 'standard output is closed' : fileReason({ code: problem, message: problem });
}

export function unwritable(problem: string): CliError {
  return failed(
    UNWRITABLE,
    `Could not write the output: ${unwritableReason(problem)}. The output is incomplete; changes made by the command are not undone.`,
  );
}

/** Returns the write error of a sink. A closed pipe, as in `hubctl keys list | head -1`, is not an error. */
export function errorOf({ problem }: Sink): string | undefined {
  return problem === 'EPIPE' ? undefined : problem;
}

/** Resolves when all output is written. @throws if it could not be written. */
export async function allWritten(sink: Sink): Promise<void> {
  await sink.drained();
  const problem = errorOf(sink);
  if (problem !== undefined) throw unwritable(problem);
}

/**
 * Returns how hubctl was called, for suggested commands: through npx or Bun in the repository, according to the
 * environment variables of package managers, else by its own name.
 */
export function commandName(env: Deps['env']): string {
  if (env.npm_lifecycle_event !== 'hubctl') return 'hubctl';
  const isNpx = /[\\/]_npx[\\/]/.test(env.PATH ?? '') || env.npm_config_user_agent?.startsWith('npm/');
  return isNpx ? 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl' : 'bun run hubctl';
}

/** Rewrites the commands in a hint so that they call hubctl the same way as the user did. */
export function typeable(advice: string, env: Deps['env']): string {
  return advice.replaceAll(/(?<=^ *|: |with |sudo .*)hubctl(?= (?:--)?[a-z])/g, () => commandName(env));
}

/** Wraps prose to a terminal. A line with a command, a path or a URL stays as it is, so that it can be copied. */
function proseRows(text: string, columns: number | undefined): string[] {
  return columns === undefined || /\bhubctl |\//.test(text) ? [text] : wrapText(text, columns);
}
