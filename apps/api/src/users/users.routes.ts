import { ChangeUserBody, CreateUserBody, Holdings, IssuedLink, Page, User, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeUser, disableUser, enableUser, signOutUser } from './change-user.ts';
import { createUser } from './create-user.ts';
import { createResetLink } from './links.ts';
import { findUser, listHoldings, listUsers, userView } from './show-users.ts';

const userId = idInPath('userId', 'The id of the user.', 'usr');

export function usersRoutes(deps: Deps) {
  return new Elysia({ name: 'users', prefix: `${WORKSPACE_API_PATH}/users` })
    .get(
      '',
      ({ request }) => listUsers(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listUsers',
        summary: 'List users',
        description: 'All accounts, including disabled ones.',
        access: 'member',
        parameters: pageParameters,
        response: Page(User),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreateUserBody, await readJsonBody(request), { noun: 'a user' });
        return status(201, await createUser(deps, callerOf(request), body));
      },
      workspaceOperation({
        operationId: 'createUser',
        summary: 'Create an account',
        confirmation: 'always',
        description: 'With a password that you pass on to the user. With an invitation, users choose their own.',
        body: { schema: CreateUserBody },
        status: 201,
        response: User,
        errors: [409],
      }),
    )
    .get(
      '/:userId',
      async ({ params }) => userView(await findUser(deps.store, params.userId)),
      workspaceOperation({
        operationId: 'showUser',
        summary: 'Show a user',
        parameters: [userId],
        response: User,
      }),
    )
    .get(
      '/:userId/holdings',
      ({ params }) => listHoldings(deps, params.userId),
      workspaceOperation({
        operationId: 'listHoldings',
        summary: "List a user's memberships, keys and to-dos",
        description:
          'Per Hub: whether the user is a member, the keys they have issued and their open to-dos. All of these stay when the account is disabled.',
        parameters: [userId],
        response: Holdings,
      }),
    )
    .patch(
      '/:userId',
      async ({ request, params }) => {
        const body = readPatch(ChangeUserBody, await readJsonBody(request), { noun: 'a user' });
        return changeUser(deps, callerOf(request), params.userId, body);
      },
      workspaceOperation({
        operationId: 'changeUser',
        summary: "Change a user's name or role",
        confirmation: 'for a change of role',
        description: 'Only owners can create and change owners. The last owner cannot be changed.',
        parameters: [userId],
        body: { schema: ChangeUserBody },
        response: User,
        errors: [409],
      }),
    )
    .post(
      '/:userId/deactivation',
      async ({ request, params }) => {
        await readNoFields(request, 'a deactivation');
        return disableUser(deps, callerOf(request), params.userId);
      },
      workspaceOperation({
        operationId: 'disableUser',
        summary: 'Disable an account',
        description:
          'Sessions, personal access tokens and links of the account end permanently, live views within a second.',
        parameters: [userId],
        response: User,
        errors: [400, 409, 413, 415],
      }),
    )
    .post(
      '/:userId/reactivation',
      async ({ request, params }) => {
        await readNoFields(request, 'a reactivation');
        return enableUser(deps, callerOf(request), params.userId);
      },
      workspaceOperation({
        operationId: 'enableUser',
        summary: 'Enable a disabled account',
        confirmation: 'always',
        parameters: [userId],
        response: User,
        errors: [400, 413, 415],
      }),
    )
    .post(
      '/:userId/sign-out',
      async ({ request, params }) => {
        await readNoFields(request, 'signing a user out');
        return signOutUser(deps, callerOf(request), params.userId);
      },
      workspaceOperation({
        operationId: 'signOutUser',
        summary: 'Sign a user out everywhere',
        description:
          'Ends all sessions of the user and revokes their personal access tokens, permanently; live views end within a second. The account stays enabled. You cannot do this to your own account.',
        parameters: [userId],
        response: User,
        errors: [400, 409, 413, 415],
      }),
    )
    .post(
      '/:userId/password-reset',
      async ({ request, params, status }) => {
        await readNoFields(request, 'a password reset');
        return status(201, await createResetLink(deps, callerOf(request), params.userId));
      },
      workspaceOperation({
        operationId: 'resetPassword',
        summary: 'Create a password reset link',
        confirmation: 'always',
        description:
          'The link can be used once, expires after 24 hours and replaces an earlier one. The current password works until the link is used. The link is in this response only and is never shown again. You cannot create one for your own account.',
        parameters: [userId],
        status: 201,
        response: IssuedLink,
        errors: [400, 409, 413, 415],
      }),
    );
}
