import { Chalk, type ChalkInstance } from 'chalk';
import { typeable } from './command-name.ts';
import type { Deps, Sink } from './deps.ts';
import type { CliError } from './errors.ts';
import { UNWRITABLE } from './output-errors.ts';
import { type Segment, styled } from './segments.ts';
import { plainLine, plainText, printableJson } from './terminal-text.ts';
import { wrapAdvice } from './wrap-line.ts';

export interface OutputOptions {
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

  /** Writes one line of the result as text. */
  line(...segments: Segment[]): void {
    this.deps.stdout.write(`${paint(this.#out, segments)}\n`);
  }

  /** Writes one line to standard error. Suggested commands are rewritten so that they can be typed as they are. */
  note(...segments: Segment[]): void {
    const { env, stderr } = this.deps;
    const advice = segments.map((segment) =>
      typeof segment === 'string' ? typeable(segment, env) : { ...segment, text: typeable(segment.text, env) },
    );
    for (const line of this.#wrapped(advice)) stderr.write(`${paint(this.#err, line)}\n`);
  }

  /** Wraps between words in a terminal. */
  #wrapped(line: Segment[], indent = 0): Segment[][] {
    const { isTTY, columns = 80 } = this.deps.stderr;
    return isTTY ? wrapAdvice(line, { indent, width: columns }) : [line];
  }

  warn(text: string): void {
    this.note(styled('yellow', 'warning: '), text);
  }

  /** Writes a dimmed status line to standard error, for commands that stream. */
  quiet(text: string): void {
    const { env, stderr } = this.deps;
    const lines = this.#wrapped([styled('dim', `-- ${typeable(text, env)}`)], '-- '.length);
    for (const line of lines) stderr.write(`${paint(this.#err, line)}\n`);
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
    const { env, stderr } = this.deps;
    for (const [index, line] of plainText(typeable(text, env)).split('\n').entries()) {
      const segments = index === 0 ? [...before, line] : [line];
      for (const row of this.#wrapped(segments)) stderr.write(`${paint(this.#err, row)}\n`);
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
