import type { Member, User as Person } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { segment } from '../../runtime/workspace-api.ts';

/** Whom a command can name: anybody with an account, or a member of a Hub. */
type User = Pick<Person | Member, 'id' | 'name' | 'email' | 'role' | 'disabledAt'>;

export const isEnabled = (user: User): boolean => user.disabledAt === null;

interface Wanted {
  /** What the user was called; undefined to let the person choose. */
  reference: string | undefined;
  /** The usage error if there is neither a reference nor a person. */
  missing: string;
  /** Whom the command makes sense for. */
  matches?: (user: User) => boolean;
}

/** The user who was named, by id, e-mail address, or a name that only one has; or whom the person chooses. */
export async function userFor(cli: Cli, { reference, missing, matches }: Wanted): Promise<Person> {
  const list = () => cli.api.all<Person>('/people');
  if (reference === undefined) return await chooseUser(cli, missing, list, matches);
  if (isUserId(reference)) return await cli.api.get<Person>(`/people/${segment(reference)}`);
  return findUser(reference, await list(), matches);
}

/** The same among some that were listed, such as the members of a Hub. */
export async function userAmong<T extends User>(cli: Cli, list: () => Promise<T[]>, wanted: Wanted): Promise<T> {
  const { reference, missing, matches } = wanted;
  if (reference === undefined) return await chooseUser(cli, missing, list, matches);
  const users = await list();
  return users.find((user) => user.id === reference) ?? findUser(reference, users, matches);
}

function isUserId(reference: string): boolean {
  return /^usr_[0-9A-Z]{26}$/.test(reference);
}

/** E-mail addresses are unique and in lower case; names are neither. */
function findUser<T extends User>(reference: string, users: T[], matches: (user: T) => boolean = () => true): T {
  const addressed = users.find((user) => user.email === reference.trim().toLowerCase());
  if (addressed) return addressed;
  const named = users.filter((user) => user.name === reference);
  const suitable = named.filter(matches);
  const candidates = suitable.length > 0 ? suitable : named;
  const [first, ...others] = candidates;
  if (!first) throw unknownUser(reference, users);
  if (others.length > 0) throw ambiguousUser(reference, candidates);
  return first;
}

async function chooseUser<T extends User>(
  cli: Cli,
  missing: string,
  list: () => Promise<T[]>,
  matches: (user: T) => boolean = () => true,
): Promise<T> {
  return await cli.response<T>(undefined, missing, async (prompts) => {
    const users = (await list()).filter(matches);
    if (users.length === 0) throw new CliError('not_found', EXIT.failed, 'There is no such user.');
    const choices = users.map((user) => ({ name: describe(user), value: user, description: user.id }));
    return await prompts.choose('Which user?', choices);
  });
}

function describe({ name, email, role, disabledAt }: User): string {
  return `${name} (${email}), ${role}${disabledAt === null ? '' : ', disabled'}`;
}

/** Whoever types half of an address, or a name in other letters, is told whom that could be. */
function unknownUser(reference: string, users: User[]): CliError {
  const typed = reference.toLowerCase();
  const near =
    users.find((user) => user.name.toLowerCase() === typed) ??
    users.find((user) => user.email.startsWith(`${typed}@`)) ??
    users.find((user) => user.name.toLowerCase().split(/\s+/).includes(typed));
  return new CliError(
    'not_found',
    EXIT.failed,
    `There is no user with the e-mail address, name or id "${reference}".`,
    {
      hint: near ? `Did you mean ${plainLine(near.name)} (${near.email})?` : 'To see who there is: hubctl users list',
      candidates: near && [near.id],
    },
  );
}

function ambiguousUser(reference: string, users: User[]): CliError {
  const lines = users.map((user) => `  ${user.email}  ${user.id}${user.disabledAt === null ? '' : ', disabled'}`);
  return new CliError('ambiguous', EXIT.failed, `${users.length} users are named "${reference}".`, {
    hint: ['Say which by the e-mail address:', ...lines].join('\n'),
    candidates: users.map((user) => user.id),
  });
}
