import type { Member, User as WorkspaceUser } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT, failed } from '../../runtime/errors.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { segment } from '../../runtime/workspace-api.ts';

/** A user of the workspace, or a member of a Hub. */
type User = Pick<WorkspaceUser | Member, 'id' | 'name' | 'email' | 'role' | 'disabledAt'>;

export const isEnabled = (user: User): boolean => user.disabledAt === null;

interface Wanted {
  /** The user as given on the command line; undefined to choose from a list. */
  reference: string | undefined;
  /** The usage error if there is neither a reference nor a terminal. */
  missing: string;
  /** Selects the users that the command applies to. */
  matches?: (user: User) => boolean;
}

/** Resolves a user from an ID, an e-mail address or a unique name, or lets the user choose one. */
export async function userFor(cli: Cli, { reference, missing, matches }: Wanted): Promise<WorkspaceUser> {
  const list = () => cli.api.all<WorkspaceUser>('/people');
  if (reference === undefined) return await chooseUser(cli, missing, list, matches);
  if (isUserId(reference)) return await cli.api.get<WorkspaceUser>(`/people/${segment(reference)}`);
  return findUser(reference, await list(), matches);
}

/** Resolves a user in a list, such as the members of a Hub. */
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
    if (users.length === 0) throw failed('not_found', 'No matching users.');
    const choices = users.map((user) => ({ name: describe(user), value: user, description: user.id }));
    return await prompts.choose('Which user?', choices);
  });
}

function describe({ name, email, role, disabledAt }: User): string {
  return `${name} (${email}), ${role}${disabledAt === null ? '' : ', disabled'}`;
}

/** Suggests a user for a partial address, a first name, or a name in a different case. */
function unknownUser(reference: string, users: User[]): CliError {
  const typed = reference.toLowerCase();
  const near =
    users.find((user) => user.name.toLowerCase() === typed) ??
    users.find((user) => user.email.startsWith(`${typed}@`)) ??
    users.find((user) => user.name.toLowerCase().split(/\s+/).includes(typed));
  return new CliError('not_found', EXIT.failed, `No user with the e-mail address, name or ID "${reference}".`, {
    hint: near ? `Did you mean ${plainLine(near.name)} (${near.email})?` : 'To list users: hubctl users list',
    candidates: near && [near.id],
  });
}

function ambiguousUser(reference: string, users: User[]): CliError {
  const lines = users.map((user) => `  ${user.email}  ${user.id}${user.disabledAt === null ? '' : ', disabled'}`);
  return new CliError('ambiguous', EXIT.failed, `${users.length} users are named "${reference}".`, {
    hint: ['Use the e-mail address instead:', ...lines].join('\n'),
    candidates: users.map((user) => user.id),
  });
}
