import { Message, Reaction, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readNoFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { messageId } from './items-operation.ts';
import { reactToMessage } from './react-to-message.ts';

const emoji = {
  ...messageId,
  name: 'emoji',
  description: 'One emoji, percent-encoded.',
  schema: Reaction.properties.emoji,
};

/** The caller's own reactions to a message. */
export function reactionsRoutes(deps: Deps) {
  return new Elysia({ name: 'reactions', prefix: `${WORKSPACE_API_PATH}/messages/:messageId/reactions` })
    .put(
      '/:emoji',
      async ({ request, params }) => {
        await readNoFields(request, 'a reaction');
        return reactToMessage(deps, callerOf(request), { ...params, isOn: true });
      },
      workspaceOperation({
        operationId: 'reactToMessage',
        summary: 'React to a message',
        description: 'Reacting twice with the same emoji changes nothing.',
        access: 'person',
        parameters: [messageId, emoji],
        status: 200,
        response: Message,
        errors: [400, 409, 413, 415],
      }),
    )
    .delete(
      '/:emoji',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return reactToMessage(deps, callerOf(request), { ...params, isOn: false });
      },
      workspaceOperation({
        operationId: 'unreactToMessage',
        summary: 'Remove a reaction',
        description: "Only the caller's own. Removing a reaction that does not exist changes nothing.",
        access: 'person',
        parameters: [messageId, emoji],
        status: 200,
        response: Message,
        errors: [400, 413, 415],
      }),
    );
}
