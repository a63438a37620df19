import { AddMemberBody, Member, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { addMember, removeMember } from './change-members.ts';
import { listMembers } from './list-members.ts';

const hubId = idInPath('hubId', 'The id of the Hub.', 'hub');
const personId = idInPath('personId', 'The id of the user.', 'usr');

export function membersRoutes(deps: Deps) {
  return new Elysia({ name: 'members', prefix: `${WORKSPACE_API_PATH}/hubs/:hubId/members` })
    .get(
      '',
      ({ request, params }) => listMembers(deps, callerOf(request), { ...readListQuery(request), hubId: params.hubId }),
      workspaceOperation({
        operationId: 'listMembers',
        summary: 'List the members of a Hub',
        description: 'For its members, and for admins.',
        access: 'member',
        parameters: [hubId, ...pageParameters],
        status: 200,
        response: Page(Member),
      }),
    )
    .post(
      '',
      async ({ request, params, status }) => {
        const body = readFields(AddMemberBody, await readJsonBody(request), { noun: 'a membership' });
        return status(201, await addMember(deps, callerOf(request), params.hubId, body.personId));
      },
      workspaceOperation({
        operationId: 'addMember',
        summary: 'Add a member to a Hub',
        description:
          'From then on the user can read the Hub and post in it; existing items do not count as unread. Adding a member again changes nothing.',
        parameters: [hubId],
        body: { schema: AddMemberBody },
        status: 201,
        response: Member,
        errors: [409],
      }),
    )
    .delete(
      '/:personId',
      async ({ request, params }) => {
        await readNoFields(request, 'a removal');
        return removeMember(deps, callerOf(request), params);
      },
      workspaceOperation({
        operationId: 'removeMember',
        summary: 'Remove a member from a Hub',
        description:
          'Admins can remove any member; members can remove themselves. Live views of the Hub end. To-dos stay assigned to the former member.',
        access: 'member',
        parameters: [hubId, personId],
        status: 200,
        response: Member,
        errors: [400, 413, 415],
      }),
    );
}
