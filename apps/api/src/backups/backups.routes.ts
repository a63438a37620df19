import { Backup, TakeBackupBody, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTime } from '../core/time.ts';
import { readOptionalJsonBody } from '../http/read-body.ts';
import { contextOf } from '../http/request-context.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { backupHeaders } from '../openapi/errors.ts';
import type { BackupCopy } from '../storage/backup-store.ts';
import { requirePassword } from '../users/sign-in.ts';
import { callerOf, userOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { confirmBackup, sendBackup, takeBackup } from './backups.ts';

const MEDIA_TYPE = 'application/vnd.sqlite3';

export function backupsRoutes(deps: Deps) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId: 'takeBackup',
    summary: 'Take a backup',
    description:
      'Copies the whole database as of this request, while the server keeps running. The response is a SQLite file, streamed once the copy is complete, which can take a while. A download that is interrupted, or whose length or digest differs from the header fields, is not a valid backup; `hubctl backup` checks this. Only one backup runs at a time: 409 while another is in progress. 503 if there is not enough disk space. Recorded in the audit log.\n\nA backup contains every Hub, the hashes of all passwords, and the private key for push notifications: see `docs/security.md`. A session must send the password each time.',
    access: 'owner',
    body: { schema: TakeBackupBody, isOptional: true },
    mediaType: MEDIA_TYPE,
    headers: backupHeaders,
    // OpenAPI 3.1 describes binary content without a type.
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
        const { requestId, reauthorize } = contextOf(request);
        // There is no traffic while the copy is made or a slow disk catches up, so the connection has no idle timeout:
        // `sendBackup` ends stalled downloads instead.
        contextOf(request).holdOpen();
        const copy = await takeBackup(deps, callerOf(request));
        const body = sendBackup(copy, { clock, log, requestId, check: async () => reauthorize?.() });
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
          'Call this once you have received the whole backup, verified it and stored it. Only confirmed backups count in the status and metrics of the server. 404 also if the backup was sent long ago, or before the server restarted.',
        parameters: [idInPath('backupId', 'The id from the `Hub-Backup-Id` header of the backup.', 'bak')],
        access: 'owner',
        response: Backup,
        errors: [400, 413, 415],
      }),
    );
}

/** Requires the password, so that someone who finds an owner's open browser cannot download everything. */
async function requireFreshPassword(deps: Deps, request: Request, password: string | undefined): Promise<void> {
  const isSession = callerOf(request).credential.kind === 'session';
  if (isSession && password !== undefined) return requirePassword(deps, userOf(request), password);
  if (isSession) throw new AppError('invalid', 'password is required: confirm it to take a backup');
  if (password !== undefined) throw new AppError('invalid', 'password is only accepted with a session. Remove it.');
}

function headersOf({ id, takenAt, bytes, sha256 }: BackupCopy): Record<string, string> {
  const name = `hub-${isoTime(takenAt).slice(0, 19).replaceAll(':', '-')}Z.db`;
  return {
    'content-type': MEDIA_TYPE,
    'content-disposition': `attachment; filename="${name}"`,
    connection: 'close',
    'hub-backup-id': id,
    // A streamed response has no Content-Length.
    'hub-backup-bytes': String(bytes),
    // RFC 9530
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
}
