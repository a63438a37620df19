import { Backup, TakeBackupBody, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { connectionOf } from '../http/connection.ts';
import { readFields } from '../http/read-fields.ts';
import { readOptionalJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { contextOf } from '../http/request-context.ts';
import { callerOf, userOf } from '../http/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../http/workspace-operation.ts';
import { backupHeaders } from '../ops/openapi-errors.ts';
import type { BackupCopy } from '../store/backup-store.ts';
import { isoTime } from '../time.ts';
import { requirePassword } from '../users/confirm-session.ts';
import { confirmBackup } from './confirm-backup.ts';
import { sendBackup } from './send-backup.ts';
import { takeBackup } from './take-backup.ts';

const MEDIA_TYPE = 'application/vnd.sqlite3';

export function backupsRoutes(deps: Deps) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId: 'takeBackup',
    summary: 'Take a backup',
    description:
      'A copy of the whole database as it is when this is asked, while all goes on: a SQLite file, streamed once the copy is complete, which can take a while. One that breaks off, or whose length or digest is not what the header fields say, is no backup; `hubctl backup` looks after that. One at a time: 409 as long as another is on its way. 503 if the disk has no room for it. It is noted in the audit log.\n\nIt holds every Hub, whoever belongs to it, the hashes of all passwords, and the private key for push notifications: see `docs/security.md`. A session is asked for the password each time.',
    access: 'owner',
    body: { schema: TakeBackupBody, isOptional: true },
    status: 200,
    mediaType: MEDIA_TYPE,
    headers: backupHeaders,
    // As OpenAPI 3.1 tells of bytes: without a type.
    response: Type.Unsafe<Uint8Array>({ contentMediaType: MEDIA_TYPE }),
    errors: [409, 429],
  });
  return new Elysia({ name: 'backups', prefix: `${WORKSPACE_API_PATH}/backups` })
    .post(
      '',
      async ({ request }) => {
        const fields = { noun: 'a backup' };
        const { password } = readFields(TakeBackupBody, await readOptionalJsonBody(request), fields);
        await requireFreshPassword(deps, request, password);
        const { clock, log } = deps;
        const { requestId, authorizeAgain } = contextOf(request);
        // Nothing passes while the copy is made, nor while a slow disk takes what was sent; `sendBackup` ends what stands still.
        connectionOf(request).holdOpen?.();
        const copy = await takeBackup(deps, callerOf(request));
        const body = sendBackup(copy, { clock, log, requestId, check: async () => authorizeAgain?.() });
        return new Response(body, { headers: headersOf(copy) });
      },
      { detail, beforeHandle, parse },
    )
    .post(
      '/:backupId/confirmation',
      async ({ request, params: { backupId } }) => {
        await readNoFields(request, 'a confirmation');
        return confirmBackup(deps, backupId);
      },
      workspaceOperation({
        operationId: 'confirmBackup',
        summary: 'Confirm a backup',
        description:
          'By whoever has received it to its end, checked it and keeps it. Only confirmed backups count in the status of the server and in its metrics. 404 also for one that was sent long ago, or by a process that has ended since.',
        parameters: [idInPath('backupId', 'The id in the `Hub-Backup-Id` of the backup.')],
        access: 'owner',
        status: 200,
        response: Backup,
        errors: [400, 413, 415],
      }),
    );
}

/** Whoever finds an open browser of an owner must not get everything out of it. */
async function requireFreshPassword(deps: Deps, request: Request, password: string | undefined): Promise<void> {
  const isSession = callerOf(request).credential.kind === 'session';
  if (isSession && password !== undefined) return requirePassword(deps, userOf(request), password);
  if (isSession) throw new AppError('invalid', 'password is required: in a browser, each backup asks for it');
  if (password !== undefined) throw new AppError('invalid', 'password belongs to a session: leave it out');
}

function headersOf({ id, takenAt, bytes, sha256 }: BackupCopy): Record<string, string> {
  const name = `hub-${isoTime(takenAt).slice(0, 19).replaceAll(':', '-')}Z.db`;
  return {
    'content-type': MEDIA_TYPE,
    'content-disposition': `attachment; filename="${name}"`,
    connection: 'close',
    'hub-backup-id': id,
    // What is streamed has no Content-Length.
    'hub-backup-bytes': String(bytes),
    // RFC 9530
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
}
