import type { Member, User as WorkspaceUser } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT, failed } from '../../runtime/errors.ts';
import { resolve, type Wanted } from '../../runtime/resolve.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { segment } from '../../runtime/workspace-api.ts';

/** A user of the workspace, or a member of a Hub. */
type User = Pick<WorkspaceUser | Member, 'id' | 'name' | 'email' | 'role' | 'disabledAt'>;

export const isEnabled = (user: User): boolean => user.disabledAt === null;

/** Resolves a user from an ID, an e-mail address or a unique name, or lets the user choose one. */
export async function userFor(cli: Cli, wanted: Wanted<WorkspaceUser>): Promise<WorkspaceUser> {
  const { reference } = wanted;
  if (reference !== undefined && /^usr_[0-9A-Z]{26}$/.test(reference)) {
    return await cli.api.get<WorkspaceUser>(`/people/${segment(reference)}`);
  }
  return await userAmong(cli, () => cli.api.all<WorkspaceUser>('/people'), wanted);
}

/** Resolves a user in a list, such as the members of a Hub. E-mail addresses are unique and in lower case. */
export async function userAmong<T extends User>(cli: Cli, list: () => Promise<T[]>, wanted: Wanted<T>): Promise<T> {
  return await resolve(cli, wanted, {
    list,
    isExactly: ({ id, email }, reference) => id === reference || email === reference.trim().toLowerCase(),
    question: 'Which user?',
    choice: describe,
    none: () => failed('not_found', 'No matching users.'),
    unknown: unknownUser,
    ambiguous: {
      plural: 'users',
      instead: 'the e-mail address',
      line: ({ email, id, disabledAt }) => `${email}  ${id}${disabledAt === null ? '' : ', disabled'}`,
    },
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
