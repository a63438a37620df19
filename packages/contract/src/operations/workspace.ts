import { Type } from '@sinclair/typebox';
import { AUDIT_ACTIONS } from '../audit-actions.ts';
import * as wire from '../index.ts';
import { choice, file, filter, instant, type OperationDeclaration, page } from './operation.ts';

export const workspaceOperations = {
  'GET /': {
    id: 'showServer',
    summary: 'Show the name and version of the server',
    description: 'Needs no authentication.',
    access: 'anyone',
    success: wire.ServerInfo,
  },
  'GET /status': { id: 'showStatus', summary: 'Show the status of the server', success: wire.ServerStatus },
  'POST /test-mails': {
    id: 'sendTestMail',
    summary: 'Send a test mail',
    description: `Sends it at once, and says what the mail server says. 409 if the server sends no mail. At most ${wire.LIMITS.testNotificationsPerMinute} per user and minute.`,
    // It waits for the mail server.
    turn: null,
    body: wire.SendTestMailBody,
    noun: 'a test mail',
    success: wire.SentTestMail,
    errors: [409, 429],
  },
  'GET /nodes': {
    id: 'listNodes',
    summary: 'List the nodes that share the workspace',
    description: 'Asks each node. Without PostgreSQL, there are none.',
    success: wire.NodeList,
  },
  'GET /workspace': { id: 'showWorkspace', summary: 'Show the workspace', access: 'member', success: wire.Workspace },
  'PATCH /workspace': {
    id: 'changeWorkspace',
    summary: 'Change the workspace',
    confirmation: 'for a change of who manages keys, how long they last, or who needs a second factor',
    body: wire.ChangeWorkspaceBody,
    noun: 'a workspace',
    success: wire.Workspace,
    errors: [409],
  },
  'GET /audit': {
    id: 'listAuditEntries',
    summary: 'Read the audit log',
    description:
      'Newest first. With a filter, a page can have fewer entries than `limit`, or none, while `next` still leads to older ones.',
    query: {
      ...page,
      hubId: filter('Only entries about this Hub.'),
      targetId: filter('Only entries with this target: the id of a key, a user, a Hub or another object.'),
      actorKind: choice('Only actions of this kind of actor.', wire.ACTOR_KINDS),
      actorId: filter('Only actions of this user or key.'),
      // A string for clients: a server of another version may have more actions.
      action: choice<string>('Only this action.', AUDIT_ACTIONS),
      from: instant('At or after this time.'),
      to: instant('Before this time.'),
    },
    success: wire.Page(wire.AuditEntry),
    errors: [404],
  },
  'POST /backups': {
    id: 'takeBackup',
    summary: 'Take a backup',
    description:
      'Copies the whole database as of this request, while the server keeps running. The response is a SQLite file, streamed once the copy is complete, which can take a while. A download that is interrupted, or whose length or digest differs from the header fields, is not a valid backup; `hubctl backup` checks this. Only one backup runs at a time: 409 while another is in progress. 503 if there is not enough disk space. Recorded in the audit log.\n\nA backup contains every Hub, the hashes of all passwords, and the private key for push notifications: see `docs/security.md`. A session must send the password each time.',
    access: 'owner',
    // It waits for the copy. There is one at a time.
    turn: null,
    body: Type.Optional(wire.TakeBackupBody),
    noun: 'a backup',
    success: file('application/vnd.sqlite3'),
    headers: {
      'Hub-Backup-Id': { description: 'The id to confirm the backup with.', schema: { type: 'string' } },
      'Hub-Backup-Bytes': { description: 'The size of the file in bytes.', schema: { type: 'integer' } },
      'Repr-Digest': {
        description: 'The SHA-256 of the file, in base64 (RFC 9530).',
        schema: { type: 'string' },
        example: 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
      },
    },
    errors: [409, 429],
  },
  'GET /backups/files/{fileId}': {
    id: 'backUpFile',
    summary: 'Back up the bytes of a file',
    description:
      'A backup lists all files with their SHA-256, and `hubctl backup` downloads those that it does not have yet, also of deleted items.',
    access: 'owner',
    confirmation: 'always',
    turn: null,
    success: file('application/octet-stream'),
  },
  'POST /backups/{backupId}/confirmation': {
    id: 'confirmBackup',
    summary: 'Confirm a backup',
    description:
      'Call this once you have received the whole backup, verified it and stored it. Only confirmed backups count in the status and metrics of the server. 404 also if the backup was sent long ago, or before the server restarted.',
    access: 'owner',
    noun: 'a confirmation',
    success: wire.Backup,
  },
} as const satisfies Record<string, OperationDeclaration>;
