import {
  AddMemberBody,
  ChangeHubBody,
  CreateHubBody,
  Hub,
  HubCounts,
  MarkReadBody,
  Member,
  Page,
  ReadMark,
  RetentionPreview,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readChoice, readCount, readListQuery, readQuery } from '../http/read-query.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { choice, filter, idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeHub, createHub, deleteHub, restoreHub } from './change-hub.ts';
import { visibleHub } from './hub-rights.ts';
import { markRead } from './mark-read.ts';
import { addMember, listMembers, removeMember } from './members.ts';
import { countHub, hubForCaller, listHubs, previewRetention } from './show-hubs.ts';

const FILTERS = ['live', 'deleted', 'all'] as const;
const MEMBERSHIPS = ['mine'] as const;
const INCLUDED = ['counts'] as const;
const MAX_RETENTION_DAYS = 36_500;
const retentionDaysSchema = Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS, examples: [30] });
const hubId = idInPath('hubId', 'The id of the Hub.', 'hub');
const userId = idInPath('userId', 'The id of the user.', 'usr');

const oneHub = { parameters: [hubId], status: 200, response: Hub } as const;

export function hubsRoutes(deps: Deps) {
  return new Elysia({ name: 'hubs', prefix: `${WORKSPACE_API_PATH}/hubs` })
    .get(
      '',
      ({ request }) => {
        const { state, membership, include, ...page } = readListQuery(request, ['state', 'membership', 'include']);
        const filter = readChoice('state', state, FILTERS) ?? 'live';
        const isOwnOnly = readChoice('membership', membership, MEMBERSHIPS) !== undefined;
        const hasCounts = readChoice('include', include, INCLUDED) !== undefined;
        return listHubs(deps, callerOf(request), { ...page, filter, isOwnOnly, hasCounts });
      },
      workspaceOperation({
        operationId: 'listHubs',
        summary: 'List Hubs',
        description: 'Members see the Hubs they are a member of; admins see all.',
        access: 'member',
        parameters: [
          ...pageParameters,
          choice('state', 'The state of the Hubs; default `live`. Other values are for admins.', FILTERS),
          choice('membership', 'Only Hubs that the caller is a member of.', MEMBERSHIPS),
          choice('include', 'Adds the number of members and active keys to each Hub.', INCLUDED),
        ],
        status: 200,
        response: Page(Hub),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreateHubBody, await readJsonBody(request), { noun: 'a Hub' });
        return status(201, await createHub(deps, callerOf(request), body));
      },
      workspaceOperation({
        operationId: 'createHub',
        summary: 'Create a Hub',
        description:
          'The user who creates it is its first member. The name must be unique among live Hubs, whatever its case.',
        body: { schema: CreateHubBody },
        status: 201,
        response: Hub,
        errors: [409],
      }),
    )
    .get(
      '/:hubId',
      async ({ request, params }) => {
        const caller = callerOf(request);
        return hubForCaller(deps, caller, await visibleHub(deps.store, caller, params.hubId));
      },
      workspaceOperation({
        ...oneHub,
        operationId: 'showHub',
        summary: 'Show a Hub',
        description: 'For its members, and for admins.',
        access: 'member',
      }),
    )
    .get(
      '/:hubId/counts',
      ({ request, params }) => countHub(deps, callerOf(request), params.hubId),
      workspaceOperation({
        operationId: 'countHub',
        summary: 'Count the contents of a Hub',
        description: 'Its members, keys, notes and open to-dos.',
        access: 'member',
        parameters: [hubId],
        status: 200,
        response: HubCounts,
      }),
    )
    .patch(
      '/:hubId',
      async ({ request, params }) => {
        const body = readPatch(ChangeHubBody, await readJsonBody(request), { noun: 'a Hub' });
        return changeHub(deps, callerOf(request), params.hubId, body);
      },
      workspaceOperation({
        ...oneHub,
        operationId: 'changeHub',
        summary: 'Change a Hub',
        body: { schema: ChangeHubBody },
        errors: [409],
      }),
    )
    .delete(
      '/:hubId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return deleteHub(deps, callerOf(request), params.hubId);
      },
      workspaceOperation({
        ...oneHub,
        operationId: 'deleteHub',
        summary: 'Delete a Hub',
        description: 'From then on its keys get 404. Nothing is erased: the Hub can be restored.',
        errors: [400, 413, 415],
      }),
    )
    .post(
      '/:hubId/restoration',
      async ({ request, params }) => {
        await readNoFields(request, 'a restoration');
        return restoreHub(deps, callerOf(request), params.hubId);
      },
      workspaceOperation({
        ...oneHub,
        operationId: 'restoreHub',
        summary: 'Restore a deleted Hub',
        confirmation: 'always',
        errors: [400, 409, 413, 415],
      }),
    )
    .get(
      '/:hubId/retention-preview',
      ({ request, params }) => {
        const days = readQuery(request, ['retentionDays']).get('retentionDays') ?? undefined;
        const retentionDays = readCount('retentionDays', days, MAX_RETENTION_DAYS);
        if (retentionDays === undefined) throw new AppError('invalid', 'retentionDays is required');
        return previewRetention(deps, params.hubId, retentionDays);
      },
      workspaceOperation({
        operationId: 'previewRetention',
        summary: 'Preview a retention',
        description: 'Counts the items that this retention would remove now. Nothing is changed.',
        parameters: [
          hubId,
          { ...filter('retentionDays', 'The retention in days.', retentionDaysSchema), required: true },
        ],
        status: 200,
        response: RetentionPreview,
      }),
    )
    .put(
      '/:hubId/read',
      async ({ request, params: { hubId } }) => {
        const mark = readFields(MarkReadBody, await readJsonBody(request), { noun: 'a read marker' });
        return markRead(deps, callerOf(request), { hubId, ...mark });
      },
      workspaceOperation({
        operationId: 'markHubRead',
        summary: 'Mark a Hub as read or unread',
        description:
          'Sets how far the caller has read the Hub. Each kind has its own marker; without `kind` all three are set. Markers only move forward, and not beyond the newest event. With `back`, they also move back, and what came after the event is unread again, including mentions.',
        access: 'user',
        parameters: [hubId],
        body: { schema: MarkReadBody },
        status: 200,
        response: ReadMark,
      }),
    );
}

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
        return status(201, await addMember(deps, callerOf(request), params.hubId, body.userId));
      },
      workspaceOperation({
        operationId: 'addMember',
        summary: 'Add a member to a Hub',
        confirmation: 'for a Hub that the caller cannot read',
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
      '/:userId',
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
        parameters: [hubId, userId],
        status: 200,
        response: Member,
        errors: [400, 413, 415],
      }),
    );
}
