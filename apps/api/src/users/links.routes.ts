import { InspectLinkBody, IssuedLink, LinkInfo, Me, RedeemLinkBody, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { browserOf, signInCookie } from '../http/browser-of.ts';
import { connectionOf } from '../http/connection.ts';
import { readFields, requireObjectBody } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { createSetupLink } from './create-setup-link.ts';
import { findLink } from './find-link.ts';
import { inspectLink } from './inspect-link.ts';
import { redeemLink } from './redeem-link.ts';

/** The link whose token was sent. Nothing else of the body is looked at before, since anyone can send one. */
function linkOf(deps: Deps, request: Request, body: unknown, noun: string) {
  const { token = null } = requireObjectBody(body, noun);
  const sent = readFields(InspectLinkBody, { token }, { noun });
  return findLink(deps, sent.token, connectionOf(request).address);
}

export function linksRoutes(deps: Deps) {
  return new Elysia({ name: 'links', prefix: WORKSPACE_API_PATH })
    .post(
      '/setup-link',
      async ({ request, status }) => {
        await readNoFields(request, 'a set-up link');
        return status(201, await createSetupLink(deps, callerOf(request)));
      },
      workspaceOperation({
        operationId: 'createSetupLink',
        summary: 'Make the link that sets the workspace up',
        description:
          'For the local admin, as long as there is no owner. It works once, and takes the place of the former one.',
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
        summary: 'See what a link is for',
        description: 'Looking does not use it up. A link that is not valid is 404, and slowed when it happens often.',
        access: 'anyone',
        body: { schema: InspectLinkBody },
        status: 200,
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
          'A set-up makes the owner, an invitation an account, a reset a new password (which ends all sessions). The answer sets the cookie of a new session.',
        access: 'anyone',
        body: { schema: RedeemLinkBody },
        status: 201,
        response: Me,
        setsCookie: true,
        errors: [404, 409],
      }),
    );
}
