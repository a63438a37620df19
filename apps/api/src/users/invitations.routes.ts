import { CreateInvitationBody, Invitation, IssuedInvitation, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { inviteUser, listInvitations, withdrawInvitation } from './invitations.ts';

export function invitationsRoutes(deps: Deps) {
  return new Elysia({ name: 'invitations', prefix: `${WORKSPACE_API_PATH}/invitations` })
    .get(
      '',
      ({ request }) => listInvitations(deps, readListQuery(request)),
      workspaceOperation({
        operationId: 'listInvitations',
        summary: 'List open invitations',
        parameters: pageParameters,
        status: 200,
        response: Page(Invitation),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreateInvitationBody, await readJsonBody(request), { noun: 'an invitation' });
        return status(201, await inviteUser(deps, callerOf(request), body));
      },
      workspaceOperation({
        operationId: 'invitePerson',
        summary: 'Invite a user',
        description:
          'The response contains the link for you to send. The link can be used once, expires after 7 days and is not shown again. The invitation replaces an open invitation for the same e-mail address.',
        body: { schema: CreateInvitationBody },
        status: 201,
        response: IssuedInvitation,
        errors: [404, 409],
      }),
    )
    .delete(
      '/:invitationId',
      async ({ request, params }) => {
        await readNoFields(request, 'a withdrawal');
        return withdrawInvitation(deps, callerOf(request), params.invitationId);
      },
      workspaceOperation({
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        parameters: [idInPath('invitationId', 'The id of the invitation.', 'lnk')],
        status: 200,
        response: Invitation,
        errors: [400, 413, 415],
      }),
    );
}
