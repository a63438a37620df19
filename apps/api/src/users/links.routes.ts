import {
  CreateInvitationBody,
  InspectLinkBody,
  Invitation,
  IssuedInvitation,
  IssuedLink,
  LinkInfo,
  Me,
  Page,
  RedeemLinkBody,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { contextOf } from '../http/request-context.ts';
import { readFields, readNoFields, requireObjectBody } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { createSetupLink, findLink, inspectLink, inviteUser, listInvitations, withdrawInvitation } from './links.ts';
import { redeemLink } from './redeem-link.ts';
import { browserOf, signInCookie } from './session.routes.ts';

/** Returns the link for the token in the body. No other field is read first, since anyone can send a request here. */
function linkOf(deps: Deps, request: Request, body: unknown, noun: string) {
  const { token = null } = requireObjectBody(body, noun);
  const sent = readFields(InspectLinkBody, { token }, { noun });
  return findLink(deps, sent.token, contextOf(request).address);
}

export function linksRoutes(deps: Deps) {
  return new Elysia({ name: 'links', prefix: WORKSPACE_API_PATH })
    .post(
      '/setup-link',
      async ({ request, status }) => {
        await readNoFields(request, 'a setup link');
        return status(201, await createSetupLink(deps, callerOf(request)));
      },
      workspaceOperation({
        operationId: 'createSetupLink',
        summary: 'Create the setup link',
        description:
          'For the local admin, as long as there is no owner. The link can be used once and replaces an earlier one.',
        status: 201,
        response: IssuedLink,
        errors: [400, 409, 413, 415],
      }),
    )
    .post(
      '/links/inspection',
      async ({ request }) => {
        const sent = await readJsonBody(request);
        const link = await linkOf(deps, request, sent, 'an inspection');
        readFields(InspectLinkBody, sent, { noun: 'an inspection' });
        return inspectLink(deps, link);
      },
      workspaceOperation({
        operationId: 'inspectLink',
        summary: 'Inspect a link',
        description:
          'Returns what the link is for, without using it up. An invalid link is 404; repeated failures are slowed.',
        access: 'anyone',
        body: { schema: InspectLinkBody },
        response: LinkInfo,
        errors: [404],
      }),
    )
    .post(
      '/links/redemption',
      async ({ request, set, status }) => {
        const sent = await readJsonBody(request);
        const link = await linkOf(deps, request, sent, 'a redemption');
        const body = readFields(RedeemLinkBody, sent, { noun: 'a redemption' });
        const { me, token } = await redeemLink(deps, browserOf(request), link, body);
        set.headers['set-cookie'] = signInCookie(request, token);
        return status(201, me);
      },
      workspaceOperation({
        operationId: 'redeemLink',
        summary: 'Use a link',
        description:
          'A setup link creates the owner, an invitation creates an account, and a reset link sets a new password (which ends all sessions). The response sets the cookie of a new session.',
        access: 'anyone',
        body: { schema: RedeemLinkBody },
        status: 201,
        response: Me,
        setsCookie: true,
        errors: [404, 409],
      }),
    );
}

export function invitationsRoutes(deps: Deps) {
  return new Elysia({ name: 'invitations', prefix: `${WORKSPACE_API_PATH}/invitations` })
    .get(
      '',
      ({ request }) => listInvitations(deps, readListQuery(request)),
      workspaceOperation({
        operationId: 'listInvitations',
        summary: 'List open invitations',
        parameters: pageParameters,
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
        operationId: 'inviteUser',
        summary: 'Invite a user',
        confirmation: 'always',
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
        response: Invitation,
        errors: [400, 413, 415],
      }),
    );
}
