import recorded from './openapi-recorded-examples.json' with { type: 'json' };

/**
 * An example in the OpenAPI document. The examples of the public API are written here, and `openapi-examples.test.ts`
 * sends each request and causes each error. The examples of the workspace API are recorded from the real server
 * (testing/openapi-examples), and `openapi-recorded-examples.test.ts` checks them against a new recording. As a
 * result, all examples match what the server accepts and returns.
 */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

const AT = '2026-03-01T09:30:00.000Z';
const CONVERSATION_ID = 'cnv_01KJMBQDE0EEZDVQTAEDNWQ633';
const NOTES_BUCKET_ID = 'bkt_01KJMBQDE0EEZDVQTAEDNWQ634';
const TODOS_BUCKET_ID = 'bkt_01KJMBQDE0EEZDVQTAEDNWQ635';

const created = (data: object) => ({
  201: { example: { summary: 'Example', value: { success: true, data: { ...data, createdAt: AT } } } },
});

export interface OperationExamples {
  /** Values by the name of a parameter that the operation requires. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly request?: Readonly<Record<string, Example>>;
  /** Examples by status. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, Example>>>>;
}

const recordedExamples: Readonly<Record<string, OperationExamples>> = recorded;

/** Examples by `operationId`. */
export const operationExamples: Readonly<Record<string, OperationExamples>> = {
  ...recordedExamples,

  takeBackup: {
    request: { session: { summary: 'With a session', value: { password: 'correct horse battery staple' } } },
    responses: {},
  },
  createMessage: {
    request: {
      text: { summary: 'Markdown', value: { text: '**Deploy finished** in 42 s' } },
      blocks: {
        summary: 'Editor.js blocks',
        value: {
          blocks: [
            { type: 'header', data: { text: 'Release 2.4', level: 2 } },
            { type: 'paragraph', data: { text: '<b>Deployed</b> in 42 s' } },
            { type: 'list', data: { style: 'unordered', items: ['Faster start', 'Smaller image'] } },
          ],
        },
      },
    },
    responses: created({ id: 'msg_01KJMBR9V2Q4T6Y8A0C2E4G6J8', conversationId: CONVERSATION_ID }),
  },
  createNote: {
    request: {
      note: {
        summary: 'A note',
        value: { title: 'Release 2.4', content: '## Changes\n\n- Faster start\n- Smaller image' },
      },
    },
    responses: created({ id: 'note_01KJMBR9V2Q4T6Y8A0C2E4G6JA', bucketId: NOTES_BUCKET_ID }),
  },
  createTodo: {
    request: {
      smallest: { summary: 'Title only', value: { title: 'Renew the certificate' } },
      complete: {
        summary: 'All fields',
        value: {
          title: 'Renew the certificate',
          content: 'It ends on **15 March**.',
          dueDate: '2026-03-14T17:00:00+01:00',
          priority: 'HIGH',
        },
      },
    },
    responses: created({ id: 'todo_01KJMBR9V2Q4T6Y8A0C2E4G6JC', bucketId: TODOS_BUCKET_ID }),
  },
};
