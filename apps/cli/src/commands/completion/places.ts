import type { Argument, Command, Option } from 'commander';

/** What the value of an option can be: a path, a folder, one of some words, or anything. */
export type Value = 'file' | 'folder' | 'any' | readonly string[];

export interface CompletableOption {
  /** `-f` and `--file`. */
  flags: string[];
  description: string;
  /** Undefined for a switch. */
  value: Value | undefined;
}

/** A place on the command line, and what may come next there. */
export interface Place {
  /** The words of the commands so far: ``, `keys`, `keys issue`. */
  path: string;
  words: { name: string; description: string }[];
  options: CompletableOption[];
}

/** Every place of the program, the outermost first. The shells' scripts are written from these. */
export function completionPlaces(program: Command): Place[] {
  const globals = program.options.filter((option) => option.long !== '--version').map(completable);
  const help: CompletableOption = { flags: ['-h', '--help'], description: 'show help', value: undefined };
  const placesOf = (command: Command, path: string): Place[] => {
    const own =
      command === program ? program.options.map(completable) : [...command.options.map(completable), ...globals];
    const words = command.commands.map((child) => ({
      name: child.name(),
      description: child.summary() || child.description(),
    }));
    const place = { path, words: [...words, ...argumentWords(command.registeredArguments)], options: [...own, help] };
    const inner = command.commands.flatMap((child) =>
      placesOf(child, path === '' ? child.name() : `${path} ${child.name()}`),
    );
    return [place, ...inner];
  };
  return placesOf(program, '');
}

function argumentWords(args: readonly Argument[]): Place['words'] {
  return args.flatMap((argument) => argument.argChoices ?? []).map((name) => ({ name, description: '' }));
}

function completable(option: Option): CompletableOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return { flags, description: option.description, value: option.required ? valueKind(option) : undefined };
}

function valueKind(option: Option): Value {
  if (option.argChoices) return option.argChoices;
  if (option.flags.endsWith('<file>')) return 'file';
  return option.flags.endsWith('<dir>') ? 'folder' : 'any';
}

/** A text within single quotes, for bash, zsh and fish alike if it holds neither a quote nor a backslash. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '’')}'`;
}
