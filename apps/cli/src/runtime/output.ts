import { Chalk, type ChalkInstance } from 'chalk';
import { typeable } from './command-name.ts';
import type { Deps, Sink } from './deps.ts';
import type { CliError } from './errors.ts';
import { plainLine, plainText, printableJson } from './terminal-text.ts';
import { wrapAdvice } from './wrap-line.ts';
import { UNWRITABLE } from './written.ts';

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
  | 'magenta';

/** A piece of a line. The text may come from anywhere: it is made harmless when it is printed. */
export interface Styled {
  readonly text: string;
  /** One, or several that are laid over each other. */
  readonly style: Style | readonly Style[];
}
export type Segment = string | Styled;

export function styled(style: Style, text: string): Styled {
  return { text, style };
}

export interface OutputOptions {
  json: boolean;
  color: boolean;
}

/**
 * The only way to the screen. Results go to standard output, all else to standard error; with `--json` standard output
 * carries one document and nothing besides. Whatever people read passes through `plainLine` here, so that no command
 * can forget it.
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

  /** The width of the terminal that results go to; undefined if they go to a file or a pipe. */
  get columns(): number | undefined {
    return this.deps.stdout.isTTY ? (this.deps.stdout.columns ?? 80) : undefined;
  }

  /** The one JSON document. Indented for a person, on one line for a program. */
  document(value: unknown): void {
    this.deps.stdout.write(`${printableJson(value, this.deps.stdout.isTTY ? 2 : 0)}\n`);
  }

  /** One of many JSON documents, on a line of its own, for commands that go on and on. */
  jsonLine(value: unknown): void {
    this.deps.stdout.write(`${printableJson(value)}\n`);
  }

  /** One line of the result, for people. */
  line(...segments: Segment[]): void {
    this.deps.stdout.write(`${paint(this.#out, segments)}\n`);
  }

  /** One line beside the result. Its commands can be typed as they stand. */
  note(...segments: Segment[]): void {
    const { env, stderr } = this.deps;
    const advice = segments.map((segment) =>
      typeof segment === 'string' ? typeable(segment, env) : { ...segment, text: typeable(segment.text, env) },
    );
    for (const line of this.#wrapped(advice)) stderr.write(`${paint(this.#err, line)}\n`);
  }

  /** On a terminal, so that it does not break words. */
  #wrapped(line: Segment[], indent = 0): Segment[][] {
    const { isTTY, columns = 80 } = this.deps.stderr;
    return isTTY ? wrapAdvice(line, { indent, width: columns }) : [line];
  }

  warn(text: string): void {
    this.note(styled('yellow', 'warning: '), text);
  }

  /** How a command that goes on and on fares: told in a low voice beside the result. */
  quiet(text: string): void {
    const { env, stderr } = this.deps;
    const lines = this.#wrapped([styled('dim', `-- ${typeable(text, env)}`)], '-- '.length);
    for (const line of lines) stderr.write(`${paint(this.#err, line)}\n`);
  }

  /** Text of this program (help, completion scripts), as it is. */
  raw(text: string): void {
    this.deps.stdout.write(text);
  }

  /** Help after a wrong call. */
  rawNote(text: string): void {
    this.deps.stderr.write(text);
  }

  failure(error: CliError): void {
    // What cannot be written there cannot be told there.
    if (this.json && error.code !== UNWRITABLE) {
      this.document({ error });
      return;
    }
    if (error.code === 'cancelled') {
      this.note(error.message);
      return;
    }
    // A message of the server may have lines, such as a list of faults.
    this.#text([styled('red', 'error:'), ' '], error.message);
    if (error.details.hint !== undefined) this.#text([], error.details.hint);
    if (error.details.requestId !== undefined && (error.details.statusCode ?? 0) >= 500) {
      this.note(styled('dim', `Request id for the server's log: ${error.details.requestId}`));
    }
  }

  /** Several lines, of which the first stands behind something. */
  #text(before: Segment[], text: string): void {
    const { env, stderr } = this.deps;
    for (const [index, line] of plainText(typeable(text, env)).split('\n').entries()) {
      const segments = index === 0 ? [...before, line] : [line];
      for (const row of this.#wrapped(segments)) stderr.write(`${paint(this.#err, row)}\n`);
    }
  }
}

/** The habits of no-color.org and force-color.org; a terminal that calls itself dumb gets none. */
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
