import { type Command, type CommandOptions, Help } from 'commander';

interface HelpNotes {
  /** A description of standard output, as text and with `--json`. */
  prints: string;
  /** An additional section with its own title. */
  more?: { title: string; text: string };
  exits?: string;
  examples: readonly string[];
}

const USUAL_EXITS = '0 success, 1 error, 2 usage error,\n3 server unreachable, 4 not allowed';

/** Adds a command with its help. */
export function addCommand(
  parent: Command,
  name: string,
  { about, ...notes }: HelpNotes & { about: string },
  options?: CommandOptions,
): Command {
  return helpNotes(parent.command(name, options).description(about), notes);
}

/** Appends output, exit codes and examples to the help of a command. */
export function helpNotes(command: Command, { prints, more, exits = USUAL_EXITS, examples }: HelpNotes): Command {
  const sections: [title: string, text: string][] = [
    ['Output', prints],
    ...(more ? [[more.title, more.text] as [string, string]] : []),
    ['Exit codes', exits],
    ['Examples', examples.join('\n')],
    ['Global options', 'See: hubctl --help'],
  ];
  return command.addHelpText('after', ({ error }) => {
    const output = command.configureOutput();
    const width = (error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.()) ?? MAX_WIDTH;
    return sections
      .map(([title, text]) => [title, title === 'Examples' ? text : wrapped(text, width - INDENT.length)])
      .map(([title, text]) => `\n${title}:\n${text?.replaceAll(/^/gm, INDENT)}`)
      .join('\n');
  });
}

const INDENT = '  ';
const MAX_WIDTH = 100;

/** Wraps text between words. Joins source lines unless they end with a period, colon or semicolon. */
function wrapped(text: string, width: number): string {
  const paragraphs = text.replaceAll(/(?<![.;:])\n/g, ' ').split('\n');
  return paragraphs
    .map((paragraph) => {
      const indent = /^ */.exec(paragraph)?.[0] ?? '';
      const room = Math.min(width, MAX_WIDTH) - indent.length;
      return new Help().boxWrap(paragraph.slice(indent.length), room).replaceAll(/^/gm, indent);
    })
    .join('\n');
}

/** Returns the full name of a command, such as `hubctl keys issue`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

/** Returns the deepest command that the arguments name. */
export function namedCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    if (word === '--') break;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next) command = next;
  }
  return command;
}
