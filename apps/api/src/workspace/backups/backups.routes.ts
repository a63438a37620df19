import type { Caller } from '../../access/caller.ts';
import { serve } from '../../http/operations/serve.ts';
import { requireUser } from '../../http/operations/workspace-gate.ts';
import { AppError } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import type { BackupCopy } from '../../storage/store.ts';
import type { PasswordDeps } from '../users/check-password.ts';
import { requirePassword } from '../users/sign-in.ts';
import { confirmBackup, sendBackup, takeBackup } from './backups.ts';

export function backupsRoutes(deps: PasswordDeps) {
  return serve({
    'POST /backups': async ({ caller, body: { password }, context }) => {
      await requireFreshPassword(deps, caller, password);
      const { clock, log } = deps;
      const { requestId, reauthorize } = context;
      // There is no traffic while the copy is made or a slow disk catches up, so the connection has no idle timeout:
      // `sendBackup` ends stalled downloads instead.
      context.holdOpen();
      const copy = await takeBackup(deps, caller);
      const body = sendBackup(copy, { clock, log, requestId, check: async () => reauthorize?.() });
      return new Response(body, { headers: headersOf(copy) });
    },
    'POST /backups/{backupId}/confirmation': ({ params }) => confirmBackup(deps, params.backupId),
  });
}

/** Requires the password, so that someone who finds an owner's open browser cannot download everything. */
async function requireFreshPassword(deps: PasswordDeps, caller: Caller, password: string | undefined): Promise<void> {
  const isSession = caller.credential.kind === 'session';
  if (isSession && password !== undefined) return requirePassword(deps, requireUser(caller), password);
  if (isSession) throw new AppError('invalid', 'password is required: confirm it to take a backup');
  if (password !== undefined) throw new AppError('invalid', 'password is only accepted with a session. Remove it.');
}

function headersOf({ id, takenAt, bytes, sha256 }: BackupCopy): Record<string, string> {
  const name = `hub-${isoTime(takenAt).slice(0, 19).replaceAll(':', '-')}Z.db`;
  return {
    'content-type': 'application/vnd.sqlite3',
    'content-disposition': `attachment; filename="${name}"`,
    connection: 'close',
    'hub-backup-id': id,
    // A streamed response has no Content-Length.
    'hub-backup-bytes': String(bytes),
    // RFC 9530
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
}
