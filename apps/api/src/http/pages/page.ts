import orbits from './orbits.svg' with { type: 'text' };

/** The Content-Security-Policy of the server's own pages. Injected content cannot run, load or send anything. */
export const PAGE_POLICY = policyOf({ connectsTo: "'self'" });

/** The policy of error pages, which send no requests. */
export const ERROR_PAGE_POLICY = policyOf({ connectsTo: "'none'" });

function policyOf({ connectsTo }: { connectsTo: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${connectsTo}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The path of the pages' assets. */
export const ASSETS_PATH = '/assets';

/** Returns the shared start of the server's own pages, up to the parts that only some of them load. */
export function pageHead(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Hub</title>
<script src="${ASSETS_PATH}/theme.js"></script>
<link rel="icon" href="${ASSETS_PATH}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS_PATH}/link.css">
<link rel="stylesheet" href="${ASSETS_PATH}/link-form.css">`;
}

// The drawings are inlined, so that the strict policy allows them and they use the colors of the page.
const icon = (paths: string) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

/** From lucide-static 1.62 (ISC). */
export const ICONS = {
  eye: icon(
    '<path d="M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0"/><circle cx="12" cy="12" r="3"/>',
  ),
  eyeOff: icon(
    '<path d="M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49"/><path d="M14.084 14.158a3 3 0 0 1-4.242-4.242"/><path d="M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143"/><path d="m2 2 20 20"/>',
  ),
} as const;

export const MARK =
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><circle class="core" cx="12" cy="12" r="3.5"/><path d="M12 2.5v3.2M20.2 16.75l-2.75-1.6M3.8 16.75l2.75-1.6M18.9 7.1a8.5 8.5 0 0 1 1.5 3.7M14.9 20a8.5 8.5 0 0 1-5.8 0M3.6 10.8a8.5 8.5 0 0 1 1.5-3.7"/></svg>';

/** The decoration behind the card: users, programs and one new post in orbit around a Hub. */
export const ORBITS = orbits.trimEnd();

const TITLES: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Page not found',
  500: 'Something went wrong',
  503: 'Service unavailable',
};

/** Returns the HTML of an error page, with the message and a link to the home page. */
export function errorPage(statusCode: number, message: string): string {
  const title = TITLES[statusCode] ?? 'Something went wrong';
  const text = message.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `${pageHead(title)}
</head>
<body>
<main>
${ORBITS}
<div class="card">
${MARK}
<h1>${title}</h1>
<div class="lead"><p>${text}</p></div>
<a class="button is-link" href="/">Go to the home page</a>
<div class="foot">Error ${statusCode}</div>
</div>
</main>
</body>
</html>
`;
}
