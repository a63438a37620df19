import {
  ChangePersonBody,
  CreatePersonBody,
  Holdings,
  IssuedLink,
  Page,
  Person,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readPatch } from '../http/read-patch.ts';
import { readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { changePerson } from './change-person.ts';
import { createPerson } from './create-person.ts';
import { createResetLink } from './create-reset-link.ts';
import { disablePerson } from './disable-person.ts';
import { enablePerson } from './enable-person.ts';
import { findPerson } from './find-person.ts';
import { listHoldings } from './list-holdings.ts';
import { listPeople } from './list-people.ts';
import { personView } from './person-view.ts';

const personId = idInPath('personId', 'The id of the person.');

export function peopleRoutes(deps: Deps) {
  return new Elysia({ name: 'people', prefix: `${WORKSPACE_API_PATH}/people` })
    .get(
      '',
      ({ request }) => listPeople(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listPeople',
        summary: 'List people',
        description: 'All accounts, disabled ones too.',
        access: 'member',
        parameters: pageParameters,
        status: 200,
        answer: Page(Person),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreatePersonBody, await readJsonBody(request), { noun: 'a person' });
        return status(201, await createPerson(deps, callerOf(request), body));
      },
      workspaceOperation({
        operationId: 'createPerson',
        summary: 'Make an account',
        description: 'With a password that you hand over. An invitation lets the person choose one.',
        body: { schema: CreatePersonBody },
        status: 201,
        answer: Person,
        refusals: [409],
      }),
    )
    .get(
      '/:personId',
      async ({ params }) => personView(await findPerson(deps, params.personId)),
      workspaceOperation({
        operationId: 'showPerson',
        summary: 'Show a person',
        parameters: [personId],
        status: 200,
        answer: Person,
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
        answer: Holdings,
      }),
    )
    .patch(
      '/:personId',
      async ({ request, params }) => {
        const body = readPatch(ChangePersonBody, await readJsonBody(request), { noun: 'a person' });
        return changePerson(deps, callerOf(request), params.personId, body);
      },
      workspaceOperation({
        operationId: 'changePerson',
        summary: 'Change the name or the role of a person',
        description: 'Only owners make and change owners. One owner must be left.',
        parameters: [personId],
        body: { schema: ChangePersonBody },
        status: 200,
        answer: Person,
        refusals: [409],
      }),
    )
    .post(
      '/:personId/deactivation',
      async ({ request, params }) => {
        await readNoFields(request, 'a deactivation');
        return disablePerson(deps, callerOf(request), params.personId);
      },
      workspaceOperation({
        operationId: 'disablePerson',
        summary: 'Disable an account',
        description: 'Its sessions, personal access tokens and links end for good, its live views within a second.',
        parameters: [personId],
        status: 200,
        answer: Person,
        refusals: [400, 409, 413, 415],
      }),
    )
    .post(
      '/:personId/reactivation',
      async ({ request, params }) => {
        await readNoFields(request, 'a reactivation');
        return enablePerson(deps, callerOf(request), params.personId);
      },
      workspaceOperation({
        operationId: 'enablePerson',
        summary: 'Enable a disabled account again',
        parameters: [personId],
        status: 200,
        answer: Person,
        refusals: [400, 413, 415],
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
        answer: IssuedLink,
        refusals: [400, 409, 413, 415],
      }),
    );
}
