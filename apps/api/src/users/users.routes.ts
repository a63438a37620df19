import { ChangeUserBody, CreateUserBody, Holdings, IssuedLink, Page, User, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readPatch } from '../http/read-patch.ts';
import { readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { changeUser } from './change-user.ts';
import { createResetLink } from './create-reset-link.ts';
import { createUser } from './create-user.ts';
import { disableUser } from './disable-user.ts';
import { enableUser } from './enable-user.ts';
import { findUser } from './find-user.ts';
import { listHoldings } from './list-holdings.ts';
import { listUsers } from './list-users.ts';
import { userView } from './user-view.ts';

const personId = idInPath('personId', 'The id of the person.');

export function usersRoutes(deps: Deps) {
  return new Elysia({ name: 'people', prefix: `${WORKSPACE_API_PATH}/people` })
    .get(
      '',
      ({ request }) => listUsers(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listPeople',
        summary: 'List people',
        description: 'All accounts, disabled ones too.',
        access: 'member',
        parameters: pageParameters,
        status: 200,
        response: Page(User),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreateUserBody, await readJsonBody(request), { noun: 'a person' });
        return status(201, await createUser(deps, callerOf(request), body));
      },
      workspaceOperation({
        operationId: 'createPerson',
        summary: 'Make an account',
        description: 'With a password that you hand over. An invitation lets the person choose one.',
        body: { schema: CreateUserBody },
        status: 201,
        response: User,
        errors: [409],
      }),
    )
    .get(
      '/:personId',
      async ({ params }) => userView(await findUser(deps, params.personId)),
      workspaceOperation({
        operationId: 'showPerson',
        summary: 'Show a person',
        parameters: [personId],
        status: 200,
        response: User,
      }),
    )
    .get(
      '/:personId/holdings',
      ({ params }) => listHoldings(deps, params.personId),
      workspaceOperation({
        operationId: 'listHoldings',
        summary: 'List what hangs on a person',
        description:
          'The Hubs that the person belongs to, the keys that he has issued, his open to-dos: all that stays when the account is disabled.',
        parameters: [personId],
        status: 200,
        response: Holdings,
      }),
    )
    .patch(
      '/:personId',
      async ({ request, params }) => {
        const body = readPatch(ChangeUserBody, await readJsonBody(request), { noun: 'a person' });
        return changeUser(deps, callerOf(request), params.personId, body);
      },
      workspaceOperation({
        operationId: 'changePerson',
        summary: 'Change the name or the role of a person',
        description: 'Only owners make and change owners. One owner must be left.',
        parameters: [personId],
        body: { schema: ChangeUserBody },
        status: 200,
        response: User,
        errors: [409],
      }),
    )
    .post(
      '/:personId/deactivation',
      async ({ request, params }) => {
        await readNoFields(request, 'a deactivation');
        return disableUser(deps, callerOf(request), params.personId);
      },
      workspaceOperation({
        operationId: 'disablePerson',
        summary: 'Disable an account',
        description: 'Its sessions, personal access tokens and links end for good, its live views within a second.',
        parameters: [personId],
        status: 200,
        response: User,
        errors: [400, 409, 413, 415],
      }),
    )
    .post(
      '/:personId/reactivation',
      async ({ request, params }) => {
        await readNoFields(request, 'a reactivation');
        return enableUser(deps, callerOf(request), params.personId);
      },
      workspaceOperation({
        operationId: 'enablePerson',
        summary: 'Enable a disabled account again',
        parameters: [personId],
        status: 200,
        response: User,
        errors: [400, 413, 415],
      }),
    )
    .post(
      '/:personId/password-reset',
      async ({ request, params, status }) => {
        await readNoFields(request, 'a password reset');
        return status(201, await createResetLink(deps, callerOf(request), params.personId));
      },
      workspaceOperation({
        operationId: 'resetPassword',
        summary: 'Make a link for a new password',
        description:
          'It works once, for 24 hours, and takes the place of a former one. The present password works until the link is used. The answer holds the link; it cannot be had again. Nobody makes one for himself.',
        parameters: [personId],
        status: 201,
        response: IssuedLink,
        errors: [400, 409, 413, 415],
      }),
    );
}
