import { InspectLinkBody, RedeemLinkBody } from '@hub/contract';
import { serve, withRawBody } from '../../http/operations/serve.ts';
import { readJsonBody } from '../../http/read-body.ts';
import { contextOf } from '../../http/request-context.ts';
import { sessionCookie } from '../../http/session-cookie.ts';
import { readFields, requireObjectBody } from '../../http/validate.ts';
import type { PasswordDeps } from './check-password.ts';
import { createSetupLink, findLink, inspectLink, inviteUser, listInvitations, withdrawInvitation } from './links.ts';
import { redeemLink } from './redeem-link.ts';
import { browserOf } from './session.routes.ts';

/** Returns the link for the token in the body. No other field is read first, since anyone can send a request here. */
function linkOf(deps: PasswordDeps, request: Request, body: unknown, noun: string) {
  const { token = null } = requireObjectBody(body, noun);
  const fields = readFields(InspectLinkBody, { token }, { noun });
  return findLink(deps, fields.token, contextOf(request).address);
}

/** Invitations, and the links that let someone in. */
export function linksRoutes(deps: PasswordDeps) {
  return serve({
    'GET /invitations': ({ query }) => listInvitations(deps, query),
    'POST /invitations': ({ caller, body }) => inviteUser(deps, caller, body),
    'DELETE /invitations/{invitationId}': ({ caller, params }) => withdrawInvitation(deps, caller, params.invitationId),
    'POST /setup-link': ({ caller }) => createSetupLink(deps, caller),
    'POST /links/inspection': withRawBody(async ({ request }) => {
      const body = await readJsonBody(request);
      const link = await linkOf(deps, request, body, 'an inspection');
      readFields(InspectLinkBody, body, { noun: 'an inspection' });
      return inspectLink(deps, link);
    }),
    'POST /links/redemption': withRawBody(async ({ request, context, setCookie }) => {
      const json = await readJsonBody(request);
      const link = await linkOf(deps, request, json, 'a redemption');
      const body = readFields(RedeemLinkBody, json, { noun: 'a redemption' });
      const { me, token } = await redeemLink(deps, browserOf(request), link, body);
      setCookie(sessionCookie(context.origin, token));
      return me;
    }),
  });
}
