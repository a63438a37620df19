import type { ErrorBody } from '@hub/contract';
import type { FuzzedRequest } from './mutate-request.ts';
import type { WireResponse } from './wire.ts';

/** Describes the problem with a response to any request; null if there is none. */
export function responseProblem(request: FuzzedRequest, { status, headers, body }: WireResponse): string | null {
  if (status === 0) return 'no response';
  if (status >= 500) return `${status} ${body.toString('utf8', 0, 300)}`;
  // Bun itself rejects invalid HTTP and heads that are too long, before the server sees a request.
  if (body.length === 0 && !headers.has('x-request-id') && (status === 400 || status === 431)) {
    return isOddHttp(request) ? null : `a bare ${status}`;
  }
  if (!/^req_[0-9A-Z]{26}$/.test(headers.get('x-request-id') ?? '')) return `${status} without X-Request-Id`;
  if (status < 400 || request.method === 'HEAD') return null;
  if (headers.get('content-type')?.startsWith('text/html'))
    return request.path.startsWith('/api/') ? `${status} as HTML` : null;
  return errorProblem(request, status, body);
}

function errorProblem({ path }: FuzzedRequest, status: number, body: Buffer): string | null {
  let error: Partial<ErrorBody>;
  try {
    error = JSON.parse(body.toString()) as Partial<ErrorBody>;
  } catch {
    return `${status} with ${body.toString('utf8', 0, 200)}`;
  }
  if (Object.keys(error).sort().join() !== 'message,path,statusCode,timestamp')
    return `${status} with the fields ${Object.keys(error)}`;
  if (error.statusCode !== status) return `${status} says ${error.statusCode}`;
  if (typeof error.message !== 'string' || error.message.length < 10 || error.message.length > 1_000)
    return `${status} says "${error.message}"`;
  if (Number.isNaN(Date.parse(String(error.timestamp)))) return `${status} at ${error.timestamp}`;
  const sent = pathOf(path);
  return error.path === sent ? null : `${status} says the path ${error.path}, not ${sent}`;
}

/** Normalizes a path as the URL standard does: removes the query and dot segments. */
function pathOf(target: string): string {
  return new URL(`http://hub${Buffer.from(target, 'latin1').toString('utf8')}`).pathname;
}

function isOddHttp({ path, headers }: FuzzedRequest): boolean {
  const size = path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return size > 10_000 || /[^\x21-\x7e]/.test(path) || headers.some(([, value]) => /[^\x20-\x7e\t]/.test(value));
}
