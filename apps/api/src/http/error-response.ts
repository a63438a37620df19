import type { ErrorBody } from '@hub/contract';
import type { AppError, ErrorCode } from '../platform/errors.ts';
import type { Clock } from '../platform/ports.ts';
import { isoTime } from '../platform/time.ts';
import { isUnder, requestPath } from './request-context.ts';
import { PAGE_HEADERS } from './response-headers.ts';

/** The HTTP status of each error code. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  rate_limited: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  out_of_range: 416,
  upgrade_required: 426,
  too_many_requests: 429,
  unavailable: 503,
};

function statusOf(error: AppError): number {
  return ERROR_STATUS[error.code];
}

/** Builds an error response: the four-field body, or an HTML page outside `/api` for clients that prefer HTML. */
export function errorResponse(request: Request, error: AppError | 'internal', clock: Clock): Response {
  const statusCode = error === 'internal' ? 500 : statusOf(error);
  const message =
    error === 'internal'
      ? 'Internal server error. Give your admin the X-Request-Id of this response so that they can find the cause.'
      : error.message;
  const path = requestPath(request);
  const headers = new Headers(error === 'internal' ? {} : error.headers);

  if (!isUnder(path, '/api') && prefersHtml(request.headers.get('accept'))) {
    headers.set('content-type', 'text/html; charset=utf-8');
    headers.set('content-security-policy', ERROR_PAGE_POLICY);
    for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
    return new Response(errorPage(statusCode, message), { status: statusCode, headers });
  }
  const body: ErrorBody = { statusCode, message, timestamp: isoTime(clock.now()), path };
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(body), { status: statusCode, headers });
}

/**
 * Whether an Accept header (RFC 9110, section 12.5.1) names HTML and does not prefer JSON. If it names neither or is
 * missing, the page wins where the address has one (`isPage`), and JSON for an error.
 */
export function prefersHtml(accept: string | null, { isPage = false } = {}): boolean {
  const weights = new Map((accept?.trim() || '*/*').split(',').map(weightedRange));
  const html = weights.get('text/html');
  const json = weights.get('application/json') ?? weights.get('application/*');
  const any = weights.get('*/*') ?? 0;
  if (html !== undefined) return html > 0 && html >= (json ?? any);
  return isPage && (weights.get('text/*') ?? any) > (json ?? 0);
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Page not found',
  503: 'Service unavailable',
};

/** The page needs no other file, since the server may be unable to send it. Its colors are those of the web app. */
const ERROR_PAGE_STYLE = `
:root { color-scheme: light dark; background: light-dark(#f6f5f1, #131312); color: light-dark(#201f1c, #edece8); }
body { margin: 18vh auto 0; padding: 0 1rem; max-width: 30rem; font: 0.875rem/1.45 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; font-weight: 600; }
p { overflow-wrap: break-word; }
a { color: light-dark(#2857c4, #93b3ff); }
small { color: light-dark(#6c6860, #989590); }
`;

/** It runs, loads and sends nothing. */
const ERROR_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${new Bun.CryptoHasher('sha256').update(ERROR_PAGE_STYLE).digest('base64')}'`,
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/** Returns the HTML of an error page, with the message and a link to the home page. */
function errorPage(statusCode: number, message: string): string {
  const title = TITLES[statusCode] ?? 'Something went wrong';
  const text = message.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Hub</title>
<style>${ERROR_PAGE_STYLE}</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the home page</a></p>
<p><small>Error ${statusCode}</small></p>
</main>
</html>
`;
}

/** Parses `text/html;q=0.8` to `['text/html', 0.8]`. An invalid weight is treated as 0 (not accepted). */
function weightedRange(element: string): [range: string, weight: number] {
  const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1';
  return [range, /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 0];
}
