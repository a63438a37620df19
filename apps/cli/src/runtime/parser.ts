import { nearestWord } from '@hub/contract/nearest-word';
import { type Argument, Command, Option } from 'commander';
import { aliasesOf, commandPath, POST_KINDS } from './command-line.ts';
import { optionOfField, usageError } from './errors.ts';

/** Options that other programs have for the text of a post. */
const TEXT_OPTION = /^--(?:te?xt|msg|message|body|content)$/;
/** Options that other programs have for a key. */
const KEY_OPTION = /^--(?:api-)?(?:key|token)$/;

/**
 * A command whose usage errors are those of hubctl, with the command or option that the user may have meant. Commander
 * calls these methods by name. Values are left out: they may be a password, which must not end up in a build log.
 */
export class Parser extends Command {
  declare readonly _allowUnknownOption: boolean;
  declare readonly _allowExcessArguments: boolean;

  override createCommand(name?: string): Parser {
    return new Parser(name);
  }

  missingArgument(name: string): never {
    throw this.#wrong(`The ${name} is missing.`);
  }

  optionMissingArgument({ long }: Option): never {
    throw this.#wrong(`${long} needs a value.`);
  }

  _conflictingOption(option: Option, other: Option): never {
    throw this.#wrong(`${option.long} cannot be combined with ${other.long}.`);
  }

  /** Reads a value, which must be one of the choices, if there are any. */
  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    const { argChoices, parseArg } = target;
    if (argChoices === undefined || argChoices.includes(value)) return parseArg?.(value, previous);
    const what =
      target instanceof Option ? `Invalid value "${value}" for ${target.long}` : `Unknown ${target.name()} "${value}"`;
    throw this.#wrong(`${what}. Use one of: ${argChoices.join(', ')}.`);
  }

  unknownOption(flag: string): void {
    if (this._allowUnknownOption) return;
    const option = flag.replace(/^(--[^=]+)=.*$/s, '$1');
    const suggested = /^--?[\w-]+$/.test(option) ? this.#knownOption(option.replace(/^--?/, '')) : undefined;
    throw this.#wrong([`Unknown option '${option}'.`, suggested ?? []].flat().join(' '), this.#optionHints(option));
  }

  _excessArguments({ length, 0: first = '' }: string[]): void {
    if (this._allowExcessArguments) return;
    const { parent } = this;
    // The parser has added the name of the default command.
    const isImplied =
      parent !== null && parent.args[0] !== this.name() && parent.parent !== null && parent.name() !== 'post';
    if (isImplied)
      throw wrong(parent, `Unknown command for \`${commandPath(parent)}\`. Use one of: ${verbsOf(parent)}.`);
    const allowed = this.registeredArguments.length;
    const expected = allowed === 0 ? 'expected none' : `expected at most ${allowed}`;
    const kind = nearestWord(first, POST_KINDS);
    const isPost = parent?.name() === 'post';
    throw this.#wrong(`Too many arguments for \`${commandPath(this)}\`: ${expected}, got ${length}.`, [
      ...(isPost ? ['Quote text that contains spaces.'] : []),
      ...(isPost && kind ? [`Did you mean \`hubctl post ${kind}\`?`] : []),
    ]);
  }

  unknownCommand(): never {
    const [typed = ''] = this.args;
    const words = this.commands.flatMap((each) => [each.name(), ...aliasesOf(each)]);
    const nearest = nearestWord(typed, words);
    // Not an alias: disabling a user is less than a deletion.
    const isDeletion = commandPath(this) === 'hubctl users' && /^(?:delete|remove|rm)$/.test(typed);
    const hint = isDeletion
      ? 'Users cannot be deleted, only disabled: hubctl users disable USER'
      : nearest && `Did you mean ${nearest}?`;
    throw this.#wrong([`Unknown command '${typed}'.`, hint ?? []].flat().join(' '));
  }

  #wrong(message: string, hints: readonly string[] = []): Error {
    return wrong(this, message, hints);
  }

  /**
   * Suggests the nearest option, that of a field of the API (--due for --due-date), or that of a value (--state deleted
   * for --deleted).
   */
  #knownOption(typed: string): string | undefined {
    const field = optionOfField(typed.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
    if (this.options.some(({ long }) => long === field)) return `Did you mean ${field}?`;
    const choosing = this.options.find(({ argChoices }) => argChoices?.includes(typed));
    if (choosing) return `Did you mean ${choosing.long} ${typed}?`;
    if (this.#kindsWith(`--${typed}`).length > 0) return undefined;
    const options = [...this.options, ...(this.parent?.parent ?? this.parent ?? this).options];
    const names = options.flatMap(({ long, hidden }) => (long && !hidden ? [long.slice(2)] : []));
    const nearest = nearestWord(typed, names);
    return nearest && `Did you mean --${nearest}?`;
  }

  /** Returns the other kinds of post that have an option. */
  #kindsWith(option: string): readonly Command[] {
    if (this.parent?.name() !== 'post') return [];
    return this.parent.commands.filter(({ options }) => options.some(({ long }) => long === option));
  }

  /** Returns hints for a text that the parser took for an option. */
  #optionHints(unknown: string): string[] {
    const path = commandPath(this);
    if (path === 'hubctl run') return ['Put the command after --: hubctl run -- make deploy --force'];
    if (!path.startsWith('hubctl post ')) return [];
    const isText = !/^--[\w-]+$/.test(unknown);
    const kinds = this.#kindsWith(unknown).map((kind) => `\`${commandPath(kind)} ${unknown}\``);
    return [
      kinds.length > 0 && `Did you mean ${kinds.join(' or ')}?`,
      KEY_OPTION.test(unknown) &&
        'Pass the key in HUB_API_KEY, with --key-file FILE, or with --key-stdin: arguments can be read by others.',
      (isText || TEXT_OPTION.test(unknown)) &&
        `Pass the text as an argument or in a file: ${path} TEXT, ${path} --file FILE`,
      isText && `If the text starts with -, put it after --: ${path} -- TEXT`,
    ].filter((hint) => hint !== false);
  }
}

function wrong(command: Command, message: string, hints: readonly string[] = []): Error {
  return usageError(message, [...hints, `See: ${commandPath(command)} --help`].join('\n'));
}

export function verbsOf(command: Command): string {
  return command.commands.map((verb) => verb.name()).join(', ');
}
