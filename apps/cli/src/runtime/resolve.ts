import type { Cli } from './cli.ts';
import { CliError, EXIT } from './errors.ts';

/** The item that the user asked for. */
export interface Wanted<T> {
  /** The ID or name from the command line; undefined lets the user choose. */
  reference: string | undefined;
  /** The usage error if there is neither a reference nor a terminal. */
  missing: string;
  /** Selects the items that the command applies to. They take precedence over others of the same name. */
  matches?: (item: T) => boolean;
}

/** How to find and describe the items of a kind. */
interface Kind<T> {
  list: () => Promise<T[]>;
  /** Returns whether a reference other than the name means this item, and no other. */
  isExactly?: (item: T, reference: string) => boolean;
  question: string;
  /** Describes an item in a list to choose from. */
  choice: (item: T) => string;
  /** The error if there is nothing to choose from. */
  none: () => CliError | Promise<CliError>;
  /** The error if no item has this name. */
  unknown: (reference: string, all: T[]) => CliError | Promise<CliError>;
  /** The plural of the kind, what to use instead of a name that several items have, and a line for each of them. */
  ambiguous: { plural: string; instead: string; line: (item: T) => string };
}

/** Resolves a reference to an item that is the only suitable one of this name, or lets the user choose one. */
export async function resolve<T extends { id: string; name: string }>(
  cli: Cli,
  { reference, missing, matches = () => true }: Wanted<T>,
  { list, isExactly, question, choice, none, unknown, ambiguous }: Kind<T>,
): Promise<T> {
  if (reference === undefined) {
    return await cli.response<T>(undefined, missing, async (prompts) => {
      const items = (await list()).filter(matches);
      if (items.length === 0) throw await none();
      const choices = items.map((item) => ({ name: choice(item), value: item, description: item.id }));
      return await prompts.choose(question, choices);
    });
  }
  const all = await list();
  const exact = isExactly && all.find((item) => isExactly(item, reference));
  if (exact) return exact;
  const named = all.filter(({ name }) => name === reference);
  const suitable = named.filter(matches);
  const candidates = suitable.length > 0 ? suitable : named;
  const [first, ...others] = candidates;
  if (!first) throw await unknown(reference, all);
  if (others.length === 0) return first;
  const { plural, instead, line } = ambiguous;
  throw new CliError('ambiguous', EXIT.failed, `${candidates.length} ${plural} are named "${reference}".`, {
    hint: [`Use ${instead} instead:`, ...candidates.map((item) => `  ${line(item)}`)].join('\n'),
    candidates: candidates.map(({ id }) => id),
  });
}
