import { readFileSync } from 'node:fs';
import type { SmtpAddress } from '../platform/config-schemas.ts';
import { printable } from '../platform/errors.ts';
import type { MailTransport, OutgoingMail } from '../platform/ports.ts';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const MAX_PROBLEM_CHARACTERS = 300;

/** An attempt to send a mail that failed. `isFinal`: the recipient or the mail itself was rejected, and not only for now. */
export class MailError extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
    /** Whether other mails would fail, too. */
    readonly isOfServer: boolean,
  ) {
    super(message);
  }
}

/** Sends mails over SMTP (RFC 5321), each on a connection of its own. The library is loaded for the first one. */
export function smtpTransport(address: SmtpAddress, from: { name: string; address: string }): MailTransport {
  const { host, port, security, user, password, caFile } = address;
  return {
    server: `${host}:${port}`,
    from: from.address,
    send: async ({ id, to, workspaceName, ...message }: OutgoingMail) => {
      const { createTransport } = await import('nodemailer');
      try {
        const transport = createTransport({
          host,
          port,
          secure: security === 'tls',
          requireTLS: security === 'starttls',
          ignoreTLS: security === 'off',
          ...(user !== null && { auth: { user, pass: password ?? '' } }),
          tls: { rejectUnauthorized: security !== 'local', ...(caFile !== null && { ca: readFileSync(caFile) }) },
          connectionTimeout: CONNECT_MS,
          greetingTimeout: CONNECT_MS,
          socketTimeout: SILENCE_MS,
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        await transport.sendMail({
          ...message,
          // As objects, they are not parsed: an address with a comma stays one.
          from: { name: from.name || workspaceName, address: from.address },
          to: { name: '', address: to },
          // The same for each attempt, so that servers can recognize a repeated mail.
          messageId: `<${id}@${from.address.split('@').at(-1)}>`,
          // RFC 3834: no automatic response is wanted.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw toMailError(error as Error & Partial<SmtpFailure>);
      }
    },
  };
}

interface SmtpFailure {
  code: string;
  command: string;
  responseCode: number;
}

function toMailError({ message, code, command = '', responseCode = 0 }: Error & Partial<SmtpFailure>): MailError {
  const text = printable(message.replaceAll(/\s+/g, ' '), MAX_PROBLEM_CHARACTERS);
  const isOfMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && !command.startsWith('MAIL');
  return new MailError(text, isOfMail && (responseCode === 0 || responseCode >= 500), !isOfMail);
}
