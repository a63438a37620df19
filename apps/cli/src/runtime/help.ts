import { type Command, Help } from 'commander';

export interface HelpNotes {
  /** What stands on standard output, for people and with `--json`. */
  prints: string;
  /** What else there is to know, under a title of its own. */
  more?: { title: string; text: string };
  exits: string;
  examples: readonly string[];
}

export const ADMIN_EXITS = '0 done, 1 refused or failed, 2 wrong usage,\n3 cannot reach the server, 4 not allowed';

/** Puts what a script needs to know under the help of a command. */
export function helpNotes(command: Command, { prints, more, exits, examples }: HelpNotes): void {
  const sections: [title: string, text: string][] = [
    ['Prints', prints],
    ...(more ? [[more.title, more.text] as [string, string]] : []),
    ['Exit codes', exits],
    ['Examples', examples.join('\n')],
  ];
  command.addHelpText('after', ({ error }) => {
    const output = command.configureOutput();
    const width = (error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.()) ?? WIDEST;
    return sections
      .map(([title, text]) => [title, title === 'Examples' ? text : wrapped(text, width - INDENT.length)])
      .map(([title, text]) => `\n${title}:\n${text?.replaceAll(/^/gm, INDENT)}`)
      .join('\n');
  });
}

const INDENT = '  ';
const WIDEST = 100;

/** Broken between words. A line of the source goes on in the next one, unless it ends as a sentence does. */
function wrapped(text: string, width: number): string {
  const paragraphs = text.replaceAll(/(?<![.;:])\n/g, ' ').split('\n');
  return paragraphs
    .map((paragraph) => {
      const indent = /^ */.exec(paragraph)?.[0] ?? '';
      const room = Math.min(width, WIDEST) - indent.length;
      return new Help().boxWrap(paragraph.slice(indent.length), room).replaceAll(/^/gm, indent);
    })
    .join('\n');
}

/** The full name of a command, such as `hubctl keys issue`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

/** The deepest command that the words of the command line name. */
export function namedCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    if (word === '--') break;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next) command = next;
  }
  return command;
}
