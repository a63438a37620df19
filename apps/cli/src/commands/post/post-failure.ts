import { CliError, responseError, unreachableError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { count } from '../../runtime/times.ts';

type Client = typeof import('@hub/client');

const CHECK_FIRST = 'The post may have been accepted. Check before you post again.';

/** Converts an error from the client library into one with an exit code and a hint. */
export function postFailure(client: Client, error: unknown): unknown {
  if (error instanceof client.HubUsageError) return new CliError('invalid', EXIT.failed, error.message);
  if (error instanceof client.HubApiError) return failure(client, error);
  if (error instanceof client.HubTimeoutError) {
    return new CliError(
      'timeout',
      EXIT.unreachable,
      `The server did not respond within ${count(error.timeoutMs / 1000, 'second')}.`,
      {
        hint: CHECK_FIRST,
        mayHaveCreated: true,
      },
    );
  }
  if (error instanceof client.HubConnectionError) {
    if (error.handshakeFailed) return unreachableError(error.message);
    if (!error.mayHaveCreated)
      return unreachableError(error.message, 'Check the URL (--url, HUB_URL) and that the server is running.');
    return new CliError('unreachable', EXIT.unreachable, error.message, { hint: CHECK_FIRST, mayHaveCreated: true });
  }
  if (error instanceof client.HubRedirectError) {
    return new CliError('redirected', EXIT.failed, error.message, { statusCode: error.statusCode });
  }
  if (error instanceof client.HubUnexpectedResponseError) {
    const { statusCode, requestId } = error;
    return new CliError('unexpected_answer', EXIT.failed, error.message, {
      statusCode,
      requestId,
      mayHaveCreated: true,
    });
  }
  return error;
}

function failure(client: Client, error: InstanceType<Client['HubApiError']>): CliError {
  const { statusCode, message, requestId } = error;
  if (error instanceof client.HubBlockedError) {
    const { retryAfterSeconds } = error;
    const hint = `Try again in ${count(retryAfterSeconds, 'second')}, or add --wait.`;
    return responseError({ statusCode, message, requestId, retryAfterSeconds, hint });
  }
  return responseError({ statusCode, message, requestId });
}
